import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '#tests/support/server/test-app.ts'
import { restrictionOf, managedWorld } from '#tests/access-oracle/expect/visible-definitions.ts'
import { expectedRejection, FORBIDDEN, grantsOf, type Writer } from '#tests/access-oracle/expect/expect-write.ts'
import { scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import type { Outcome } from './write.ts'
import { visibleWorld, type Right } from '#tests/access-oracle/expect/viewpoint.ts'
import { storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import { leaksIn, type Visit } from './visit.ts'
import {
  type Kind,
  planValue,
  type World,
  type WorldCollection,
  type WorldField,
} from '#tests/access-oracle/world/world.ts'

type Key = WorldField | 'id'

const OF_KEYS: readonly Kind[] = ['text', 'number']

export async function checkImpersonation(visit: Visit, world: World): Promise<Outcome> {
  const { caller, viewpoint, draw, count } = visit
  const home = draw.one(world.collections)
  const key = draw.chance(0.3) ? 'id' : draw.one(storedFields(home).filter(({ kind }) => OF_KEYS.includes(kind)))
  const rows = drawRows(visit, home, key)
  const raw = ['key', ...rows].map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\n')
  const headers = { 'content-type': 'text/csv', 'time-zone': viewpoint.zone }
  const begun = await caller.request('POST', '/api/imports?name=key.csv', { raw, headers })
  const answers = begun.status === 201 ? [begun, ...(await look(visit, begun.body.id, { home, key }))] : [begun]
  const last = answers.at(-1) ?? begun

  const refusal = evaluateImpersonation({ world, viewpoint }, home, key)
  count(`look, ${refusal === undefined ? 'taken' : 'refused'}`)
  const found = last.status === 200 ? last.body.matches : `${last.status} ${last.body?.code}`
  const expected = refusal ?? matchesOf(home, key, rows)
  const requested = `key of ${home.name} ${key === 'id' ? key : key.name}: ${raw}`
  if (!isDeepStrictEqual(found, expected)) return { world, differences: [{ requested, expected, found: last.text }] }
  const views = [visibleWorld(world, viewpoint), managedWorld(world, viewpoint)]
  const sent = [raw, key === 'id' ? '' : key.name]
  return { world, differences: answers.flatMap(({ text }) => leaksIn(requested, text, sent, views)) }
}

async function look(
  { caller }: Visit,
  id: string,
  { home, key }: { readonly home: WorldCollection; readonly key: Key },
): Promise<readonly Answer[]> {
  const known = { separator: ',', encoding: 'utf-8', hasHeader: true }
  const wanted = { collection: home.name, field: key === 'id' ? key : key.name, column: 0 }
  const answer = await caller.post(`/api/imports/${id}/look`, { ...known, key: wanted })
  await caller.delete(`/api/imports/${id}`)
  return [answer]
}

function drawRows({ draw, marks }: Visit, home: WorldCollection, key: Key): readonly string[] {
  const there = home.records.flatMap((record) => (key === 'id' ? [record.id] : scalarsOf(record, key).map(String)))
  const other = key === 'id' ? '0'.repeat(26) : String(planValue(draw, key, false, marks))
  return [...draw.some(there, 4), other]
}

function evaluateImpersonation(writer: Writer, home: WorldCollection, key: Key): string | undefined {
  const rights: readonly Right[] = ['import', 'read', 'update']
  const closed = rights.flatMap((right, at) => expectedRejection(writer, home.name, right, at === 0) ?? [])[0]
  if (closed !== undefined) return closed
  const granted = rights.map((right) => grantsOf(writer, home.name, right))
  if (granted.some((grants) => grants.every(({ where }) => where))) return FORBIDDEN
  const isOpen = key === 'id' || granted.every((grants) => restrictionOf(grants, key.name) === undefined)
  return isOpen ? undefined : '400 invalid-request'
}

function matchesOf(home: WorldCollection, key: Key, rows: readonly string[]): object {
  const matches = { updates: 0, creates: 0, unclear: 0, isWhole: true }
  for (const [at, row] of rows.entries()) {
    const holds = home.records.filter((record) =>
      key === 'id' ? record.id === row : scalarsOf(record, key).map(String).includes(row),
    )
    const isUnclear = rows.indexOf(row) < at || holds.length > 1 || (key === 'id' && holds.length === 0)
    matches[isUnclear ? 'unclear' : holds.length === 1 ? 'updates' : 'creates'] += 1
  }
  return matches
}
