import type { ComponentChildren } from 'preact';
import { EnvironmentBand } from './parts/environment-band.tsx';
import { Notice } from './parts/notice.tsx';
import { match, path } from './router.ts';
import { AuditScreen } from './screens/audit.tsx';
import { ClientScreen } from './screens/client.tsx';
import { ClientsScreen } from './screens/clients.tsx';
import { EndpointScreen } from './screens/endpoint.tsx';
import { EventScreen } from './screens/event.tsx';
import { HomeScreen } from './screens/home.tsx';
import { KeysScreen } from './screens/keys.tsx';
import { OrganizationScreen } from './screens/organization.tsx';
import { PeopleScreen } from './screens/people.tsx';
import { RequestsScreen } from './screens/requests.tsx';
import { SignInScreen } from './screens/sign-in.tsx';
import { TokensScreen } from './screens/tokens.tsx';
import { UsageScreen } from './screens/usage.tsx';
import { UserScreen } from './screens/user.tsx';
import { VersionsScreen } from './screens/versions.tsx';
import { WebhooksScreen } from './screens/webhooks.tsx';
import { isKnown, operator, resume, unanswered } from './session.ts';
import { Shell } from './shell.tsx';

type Screen = (params: Readonly<Record<string, string>>) => ComponentChildren;

const screens: readonly (readonly [pattern: string, screen: Screen])[] = [
  ['/', () => <HomeScreen />],
  ['/versions', () => <VersionsScreen />],
  ['/usage', () => <UsageScreen />],
  ['/clients', () => <ClientsScreen />],
  ['/clients/:id', ({ id = '' }) => <ClientScreen id={id} key={id} />],
  ['/tokens', () => <TokensScreen />],
  ['/requests', () => <RequestsScreen />],
  ['/webhooks', () => <WebhooksScreen />],
  ['/webhooks/endpoints/:id', ({ id = '' }) => <EndpointScreen id={id} key={id} />],
  ['/webhooks/events/:id', ({ id = '' }) => <EventScreen id={id} key={id} />],
  ['/people', () => <PeopleScreen />],
  ['/people/users/:id', ({ id = '' }) => <UserScreen id={id} key={id} />],
  ['/people/organizations/:id', ({ id = '' }) => <OrganizationScreen id={id} key={id} />],
  ['/audit', () => <AuditScreen />],
  ['/keys', () => <KeysScreen />],
];

export function App() {
  return (
    <>
      <EnvironmentBand />
      <Contents />
    </>
  );
}

function Contents() {
  if (!isKnown.value)
    return unanswered.value === null ? <p class="loading">Loading…</p> : <UnansweredScreen />;
  if (!operator.value) return <SignInScreen />;
  return <Shell>{screenAt(path.value)}</Shell>;
}

/** Not the sign-in: the session may well be alive. */
function UnansweredScreen() {
  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <h1>The service does not answer</h1>
      <Notice kind="problem">{unanswered.value}</Notice>
      <button type="button" onClick={() => void resume()}>
        Try again
      </button>
    </main>
  );
}

function screenAt(at: string): ComponentChildren {
  for (const [pattern, screen] of screens) {
    const params = match(pattern, at);
    if (params) return screen(params);
  }
  return (
    <>
      <h1>Not found</h1>
      <p>
        The console has no page at this address. <a href="/console">Go to its first page</a>.
      </p>
    </>
  );
}
