import type { SecretHolder } from '../secrets/rotate-secret-key.ts';
import { lockSealedOtherwise, updateSealedAnswer } from './store.ts';
import type { AnswerKey } from './types.ts';

/** The purpose that an answer with a secret is sealed for. */
export function answerPurpose({ clientId, subjectId, organizationId, key }: AnswerKey): string {
  return `kept answer ${clientId} ${subjectId} ${organizationId} ${key}`;
}

const RESEALED_AT_ONCE = 100;

export const keptAnswerHolder: SecretHolder = {
  async reseal(context, { mark, seal }) {
    const answers = await lockSealedOtherwise(context.session, mark, RESEALED_AT_ONCE);
    for (const { body, ...key } of answers)
      await updateSealedAnswer(context.session, key, seal(answerPurpose(key), body));
    return answers.length;
  },
};
