/** Whose key it is: keys of two callers have nothing to do with each other. */
export interface AnswerKey {
  clientId: string;
  subjectId: string;
  key: string;
}

/** A request that may be sent again, and who sends it. */
export interface KeyedRequest extends AnswerKey {
  /** Of everything that the request says; see request-digest.ts. */
  requestDigest: Buffer;
}

/** An answer to the byte, as it was sent and will be sent again. */
export interface KeptAnswer {
  status: number;
  body: Buffer;
  /** Whoever has made it must open it. */
  isSealed?: true;
}
