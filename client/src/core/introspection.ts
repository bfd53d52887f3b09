/** The facts of a token that a resource server needs; the introspection of every version has them. */
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
