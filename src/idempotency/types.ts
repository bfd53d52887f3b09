/** The owner of a key: keys of two callers, and of a caller in two organizations, are independent. */
export interface AnswerKey {
  clientId: string;
  subjectId: string;
  organizationId: string;
  key: string;
}

/** A request that may be repeated, and its caller. */
export interface KeyedRequest extends AnswerKey {
  /** Of the whole request; see request-digest.ts. */
  requestDigest: Buffer;
}

/** An answer, byte by byte, as it was sent and will be repeated. */
export interface KeptAnswer {
  status: number;
  body: Buffer;
  /** The caller of `answerOnce` must open it. */
  isSealed?: true;
}
