/** What a resource server has to know of a token; the introspection of every version says it. */
export interface ActiveTokenFacts {
  active: true;
  client_id: string;
  token_type: 'access_token' | 'refresh_token';
  scope: string;
  sub_type: 'user' | 'organization';
  sub: string;
  organizations: string[];
  aud: string;
  iss: string;
  exp: number;
  iat: number;
}

export type IntrospectionFacts = ActiveTokenFacts | { active: false };

export type Introspect = (token: string) => Promise<IntrospectionFacts>;
