import type { SecretHolder } from '../secrets/rotate-secret-key.ts';
import { lockSealedOtherwise, updateSealedAnswer } from './store.ts';
import type { AnswerKey } from './types.ts';

/** Where an answer that holds a secret is kept: it can be read nowhere else. */
export function placeOfAnswer({ clientId, subjectId, key }: AnswerKey): string {
  return `kept answer ${clientId} ${subjectId} ${key}`;
}

const RESEALED_AT_ONCE = 100;

export const keptAnswerHolder: SecretHolder = {
  async reseal(scene, { mark, seal }) {
    const answers = await lockSealedOtherwise(scene.session, mark, RESEALED_AT_ONCE);
    for (const { body, ...key } of answers)
      await updateSealedAnswer(scene.session, key, seal(placeOfAnswer(key), body));
    return answers.length;
  },
};
