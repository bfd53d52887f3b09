export interface TourFacts {
  /** The absolute path of `quickstart.json`. */
  path: string;
  sandboxUrl: string;
  currentVersion: string;
}

/** The output of a first start: lines to paste. The shell reads secrets from the file, so they are never printed. */
export function tour({ path, sandboxUrl, currentVersion }: TourFacts): string {
  const read = (name: string): string => `$(node -p 'require("${path}").sandbox.${name}')`;
  return `
Dateline is running. Both environments have an operator key in ${path};
the sandbox also has a demo organization, user, client and tokens. Try, in another terminal:

  # Call the API with the demo access token
  curl -s ${sandboxUrl}/v1/organizations/ -H "Authorization: Bearer ${read('access_token')}"

  # Pin a version; every answer says which one was used
  curl -si ${sandboxUrl}/versions -H 'Service-Version: ${currentVersion}'

  # Operate the sandbox
  npx dateline org create --name 'My company'
  npx dateline user list
`;
}
