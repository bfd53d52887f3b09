import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { documentedBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { runScript } from './run-script.ts';
import { temporaryFolder } from './start-program.ts';

describeInLongRunsWith('goOidc', 'golang.org/x/oauth2 with go-oidc, with their defaults', (go) => {
  const { service, addClient, comeBack, callback } = useReleasedService();

  it.each([
    { idTokenAlgorithm: 'ES256', requiresPkce: false },
    { idTokenAlgorithm: 'RS256', requiresPkce: true },
  ] as const)(
    '[outside2 25] signs a person in, refreshes, and acts for itself: $idTokenAlgorithm, PKCE $requiresPkce',
    async (metadata) => {
      const folder = temporaryFolder();
      const replacing = { 'https://app.example.com/callback': callback };
      const block = documentedBlock('go', 'go-oidc', { ...(await addClient(metadata)), replacing });
      writeFileSync(join(folder, 'main.go'), program(block, metadata.requiresPkce));
      // Packages as Debian installs them, without modules.
      const env = {
        GO111MODULE: 'off',
        GOPATH: '/usr/share/gocode',
        GOCACHE: join(folder, 'cache'),
        HOME: folder,
        NOW: service.clock.now().toISOString(),
      };
      const told = await runScript({ path: go, args: ['run', join(folder, 'main.go')], env, comeBack });
      const sub = expect.stringMatching(/^usr_/);
      expect(told).toEqual([{ sub, name: 'Ada' }, sub, true, 200]);
    },
  );

  const program = (block: string, pkce: boolean): string => `
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

${block}

func say(name string, it interface{}) {
	text, _ := json.Marshal(map[string]interface{}{name: it})
	fmt.Println(string(text))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	client, provider, checks, err := connect(ctx)
	must(err)
	// The time of the service, which is not that of the machine.
	now, err := time.Parse(time.RFC3339, os.Getenv("NOW"))
	must(err)
	checks.Now = func() time.Time { return now }

	verifier := strings.Repeat("v", 43)
	digest := sha256.Sum256([]byte(verifier))
	sent := []oauth2.AuthCodeOption{
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(digest[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256"),
	}
	kept := []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("code_verifier", verifier)}
	if !${pkce} {
		sent, kept = nil, nil
	}
	say("open", client.AuthCodeURL("kept", sent...))
	line, err := bufio.NewReader(os.Stdin).ReadString('\\n')
	must(err)
	back, err := url.Parse(strings.TrimSpace(line))
	must(err)
	tokens, err := client.Exchange(ctx, back.Query().Get("code"), kept...)
	must(err)
	idToken, err := provider.Verifier(checks).Verify(ctx, tokens.Extra("id_token").(string))
	must(err)
	var claims struct {
		Sub  string \`json:"sub"\`
		Name string \`json:"name"\`
	}
	must(idToken.Claims(&claims))
	say("tell", map[string]string{"sub": claims.Sub, "name": claims.Name})
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	must(err)
	say("tell", info.Subject)
	renewed, err := client.TokenSource(ctx, &oauth2.Token{RefreshToken: tokens.RefreshToken}).Token()
	must(err)
	say("tell", renewed.AccessToken != tokens.AccessToken)
	itself := clientcredentials.Config{
		ClientID: client.ClientID, ClientSecret: client.ClientSecret,
		TokenURL: client.Endpoint.TokenURL, Scopes: []string{"products:read"},
	}
	products, err := itself.Client(ctx).Get(strings.Replace(client.Endpoint.TokenURL, "oauth2/token", "products/", 1))
	must(err)
	say("tell", products.StatusCode)
}
`;
});
