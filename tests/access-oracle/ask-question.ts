import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '#tests/support/test-app.ts'
import { type Asker, drawQuestion } from './questions.ts'
import { drawOfRights } from './questions-of-rights.ts'
import { type Ways, readAnswer } from './read-answer.ts'
import { cutExport, cutWorld } from './viewpoint.ts'
import { betrayed, type Difference, type Visit } from './visit.ts'
import type { World } from './world.ts'

/** How many questions are about what one may do. */
const SHARE_OF_RIGHTS = 0.15

/** Asks one thing; the answer must be what the oracle says, and tell nothing besides. */
export async function askQuestion(
  { caller, owner, guest, viewpoint, way, draw }: Visit,
  world: World,
): Promise<Difference[]> {
  const view = cutWorld(world, viewpoint)
  const exportOf = (name: string) => cutExport(world, view, viewpoint, name)
  const seen: Asker = { world, view, viewpoint, way, exportOf }
  const question = draw.chance(SHARE_OF_RIGHTS) ? drawOfRights(draw, seen) : drawQuestion(draw, seen)
  const { path, body, expected } = question
  const headers = { 'time-zone': viewpoint.zone }
  const ways: Ways = {
    get: (address: string): Promise<Answer> => caller.get(address, headers),
    getAsGuest: (address: string): Promise<Answer> => guest.get(address),
  }
  const asker = question.isOfOwner === true ? owner : caller
  const answer = body === undefined ? await ways.get(path) : await asker.post(path, body, headers)
  const found = await readAnswer(ways, question, answer)
  const said = body === undefined ? '' : JSON.stringify(body)
  const asked = `${body === undefined ? 'GET' : 'POST'} ${decodeURIComponent(path.replaceAll('+', ' '))} ${said}`
  const differences = isDeepStrictEqual(found, expected) ? [] : [{ asked, expected, found }]
  if (question.isOfOwner === true) return differences
  // Whose rights are explained may know what their roles and policies are called.
  const text = question.reads === 'rights' ? JSON.stringify({ ...answer.body, by: null }) : answer.text
  return [...differences, ...betrayed(asked, text, [path, said], [view])]
}
