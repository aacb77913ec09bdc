import { treeOf } from '#tests/access-oracle/generate/random-condition.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '#tests/support/server/test-app.ts'
import { type Condition, markersOf } from '#tests/access-oracle/generate/condition.ts'
import { randomLooseCondition } from '#tests/access-oracle/generate/grant-condition.ts'
import { collectionIn, comparisonsIn } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Outcome } from './write.ts'
import {
  randomViewpoint,
  eachRight,
  type Granted,
  RIGHTS,
  type Viewpoint,
  type WorldGrant,
} from '#tests/access-oracle/expect/viewpoint.ts'
import type { Visit } from './visit.ts'
import { grantsFor, letManageUsers } from '#tests/access-oracle/world/visitors.ts'
import type { World, WorldCollection } from '#tests/access-oracle/world/world.ts'

/**
 * Temporarily lets the user manage users, and assign a role or invite users with it. No one can grant permissions they
 * don't have, and a condition on `@me` covers different records for another user.
 */
export async function checkRoleGrants(visit: Visit, world: World): Promise<Outcome | undefined> {
  const { viewpoint, way, draw, visitors } = visit
  if (way !== 'granted' && way !== 'roles') return undefined
  if (draw.chance(0.3)) return offerLoose(visit, world)
  const offered = drawOffer(visit, world)
  await offer(visit, offered)
  const isInvited = draw.chance(0.2)
  const path = isInvited ? '/api/users' : `/api/users/${visitors.candidate.user}`
  const answer = await give(visit, path, isInvited)

  const isHeld = [...offered].every(([name, granted]) =>
    RIGHTS.every((right) =>
      granted[right].every((one) =>
        isWithin(one, viewpoint.grants.get(name)?.[right] ?? [], collectionIn(world, name) ?? { fields: [] }),
      ),
    ),
  )
  visit.count(`${isInvited ? 'invite' : 'assign a role'}, ${isHeld ? 'taken' : 'refused'}`)
  // Conditions set by the test are written differently from those in policies, so the server doesn't recognize them as
  // covering the policies' conditions.
  const isUnlike = way === 'granted' && answer.status === 403
  const isRight = isUnlike || (isHeld ? answer.status < 300 : answer.status === 403)
  const requested = `${path} with ${JSON.stringify([...offered])}`
  return { world, differences: isRight ? [] : [{ requested, expected: isHeld ? 'taken' : 403, found: answer.text }] }
}

async function offerLoose(
  { owner, viewpoint, draw, built, visitors, count }: Visit,
  nobodys: World,
): Promise<Outcome | undefined> {
  const world = { ...nobodys, me: viewpoint.me }
  const home = draw.one(world.collections)
  const where = randomLooseCondition(draw, world, home)
  if (where === undefined) return undefined
  const path = `/api/policies/${visitors.candidate.policy}`
  const body = { grants: [{ permission: 'records:read', collection: built.idOf(home.name), where: treeOf(where) }] }
  const { status, text } = await owner.patch(path, body)
  count('grant by name or order, refused')
  if (status < 400) await owner.patch(path, { grants: [] })
  const requested = `PATCH ${path} ${JSON.stringify(body)}`
  return { world: nobodys, differences: status === 422 ? [] : [{ requested, expected: 422, found: text }] }
}

async function offer({ owner, viewpoint, built, visitors }: Visit, grants: Viewpoint['grants']): Promise<void> {
  const offered = grantsFor({ ...viewpoint, grants, manages: new Set(), readsAudit: false }, built)
  const { status, text } = await owner.patch(`/api/policies/${visitors.candidate.policy}`, { grants: offered })
  if (status !== 200) throw new Error(`The oracle could not offer a role: ${text}`)
}

async function give(visit: Visit, path: string, isInvited: boolean): Promise<Answer> {
  const { caller, viewpoint, way, marks, built, visitors } = visit
  const { role, user } = visitors.candidate
  const own = grantsFor(viewpoint, built)
  await letManageUsers(visitors, way, own, true)
  const invited = { email: `${marks.next()}@example.org`, name: 'Guest', roles: [role] }
  const answer = await (isInvited ? caller.post(path, invited) : caller.patch(path, { roles: [role] }))
  await letManageUsers(visitors, way, own, false)
  await takeBack(visit, answer.status === 201 ? String(answer.body.id) : user)
  return answer
}

async function takeBack({ owner, visitors: { candidate } }: Visit, user: string): Promise<void> {
  const isInvited = user !== candidate.user
  const body = { roles: [candidate.nothing], ...(isInvited && { isDisabled: true }) }
  const { status, text } = await owner.patch(`/api/users/${user}`, body)
  if (status !== 200) throw new Error(`The oracle could not take back a role: ${text}`)
}

function drawOffer({ viewpoint, draw }: Visit, world: World): Viewpoint['grants'] {
  if (draw.chance(0.25)) return randomViewpoint(draw, world, viewpoint.me).grants
  const change = draw.one([same, same, same, withoutCondition, withAllFields, ofOwn])
  const grants = [...viewpoint.grants].map(([name, granted]): [string, Granted] => [
    name,
    eachRight((right) => draw.some(granted[right], 1).map(right === 'import' ? same : change)),
  ])
  return new Map(grants)
}

const same = (grant: WorldGrant): WorldGrant => grant
const withoutCondition = ({ where: _where, ...grant }: WorldGrant): WorldGrant => grant
const withAllFields = ({ where, presets }: WorldGrant): WorldGrant => ({
  hidden: [],
  ...(where && { where }),
  ...(presets && { presets }),
})
const ofOwn = (grant: WorldGrant): WorldGrant => ({
  ...grant,
  where: { field: 'createdBy', op: '=', value: { marker: '@me' } },
})

function isWithin(grant: WorldGrant, own: readonly WorldGrant[], { fields }: Pick<WorldCollection, 'fields'>): boolean {
  // Which relations someone can read isn't part of a grant.
  const isReverse = (name: string): boolean =>
    fields.some((field) => field.name === name && field.reverse !== undefined)
  const closedBy = ({ hidden, excluded = hidden }: WorldGrant): readonly string[] =>
    hidden.filter((name) => excluded.includes(name) || !isReverse(name))
  return own.some((held) => {
    const { where, presets, only } = held
    const isOfFields =
      closedBy(held).every((field) => closedBy(grant).includes(field)) &&
      (only === undefined || grant.only !== undefined)
    return (
      (where === undefined || (isDeepStrictEqual(where, grant.where) && !speaksOfReader(where))) &&
      isOfFields &&
      (isDeepStrictEqual(presets, grant.presets) || (grant.presets === undefined && closedBy(held).length === 0))
    )
  })
}

const speaksOfReader = (where: Condition): boolean =>
  comparisonsIn(where)
    .flatMap(markersOf)
    .some((marker) => marker.startsWith('@me'))
