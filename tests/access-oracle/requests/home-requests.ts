import type { Random } from '#tests/access-oracle/generate/random.ts'
import { collectionIn, scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { WorldField, WorldRecord } from '#tests/access-oracle/world/world.ts'
import type { Requester, OracleRequest } from './request.ts'
import { transitionsOf } from './permission-requests.ts'

const MAX_WAITING = 20

export const randomHomeRequest = (draw: Random, requester: Requester): OracleRequest =>
  draw.chance(0.4) ? askCounts(requester) : askWaiting(requester)

const askCounts = ({ view }: Requester): OracleRequest => ({
  path: '/api/home/counts',
  reads: 'counts',
  expected: {
    status: 200,
    totals: Object.fromEntries(view.collections.map(({ name, records }) => [name, records.length])),
  },
})

/** The transitions have no roles, so a record is on a user's to-do list only if a field names the user. */
const isMe = ({ viewpoint }: Requester, field: WorldField, shown: WorldRecord): boolean =>
  field.kind === 'user' && scalarsOf(shown, field).includes(viewpoint.me.id)

function askWaiting(requester: Requester): OracleRequest {
  const waiting = requester.world.collections.flatMap((home) => {
    const seen = collectionIn(requester.view, home.name)?.records ?? []
    return home.records.flatMap((whole) => {
      const shown = seen.find(({ id }) => id === whole.id)
      const isNamed = shown !== undefined && home.fields.some((field) => isMe(requester, field, shown))
      return isNamed && transitionsOf(requester, home, whole, shown).length > 0 ? whole.id : []
    })
  })
  return {
    path: '/api/home/moves',
    reads: 'waiting',
    reported: waiting,
    expected: { status: 200, others: [], count: Math.min(waiting.length, MAX_WAITING) },
  }
}
