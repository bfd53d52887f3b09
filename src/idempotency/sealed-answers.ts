import type { SecretHolder } from '../secrets/rotate-secret-key.ts';
import { lockSealedOtherwise, updateSealedAnswer } from './store.ts';
import type { AnswerKey } from './types.ts';

/** The context that an answer with a secret is sealed for. */
export function answerContext({ clientId, subjectId, organizationId, key }: AnswerKey): string {
  return `kept answer ${clientId} ${subjectId} ${organizationId} ${key}`;
}

const RESEALED_AT_ONCE = 100;

export const keptAnswerHolder: SecretHolder = {
  async reseal(scene, { mark, seal }) {
    const answers = await lockSealedOtherwise(scene.session, mark, RESEALED_AT_ONCE);
    for (const { body, ...key } of answers)
      await updateSealedAnswer(scene.session, key, seal(answerContext(key), body));
    return answers.length;
  },
};
