import { isFound } from './answers.ts'
import type { Condition } from './condition.ts'
import { faultsOfMove, groundOf, judgeAfter, judgeMoved, knownIn, REFUSED_MOVE, type Destination } from './judge-one.ts'
import {
  areOpen,
  closedDoor,
  covering,
  faultsOfFrozen,
  faultsOfPointers,
  faultsOfSent,
  faultsOfTwins,
  NO_COLLECTION,
  refused,
  type Sent,
  type Verdict,
  viewOf,
  withoutRecords,
  withRecord,
  type Writer,
} from './judge-write.ts'
import { collectionIn, satisfies } from './meaning.ts'
import { asSeenBy } from './viewpoint.ts'
import type { WorldCollection, WorldRecord } from './world.ts'

/** What finds the records, in what their writer sees. */
export type Search = {
  readonly filter?: Condition
  readonly terms?: readonly string[]
  readonly except: readonly string[]
}

/** What is done to each of them. */
export type Deed = { readonly update: Sent } | { readonly delete: true } | { readonly transition: Destination }

/** A verdict, and how many records it is about. */
export type FoundVerdict = Verdict & { readonly count: number }

/** May they do this to all that they find? Of what they find it is done to what they may do it to. */
export function judgeFound(writer: Writer, home: WorldCollection, search: Search, deed: Deed): FoundVerdict {
  const right = 'update' in deed ? 'update' : 'delete' in deed ? 'delete' : 'transition'
  const isStateless = 'transition' in deed && !home.laws.workflow
  const closed = closedDoor(writer, home.name, right, false)
  if (closed === NO_COLLECTION) return { ...refused(writer.world, closed), count: 0 }
  if (closed ?? isStateless)
    return { ...refused(writer.world, ...(closed ? [closed] : []), ...(isStateless ? [REFUSED_MOVE] : [])), count: 0 }

  const found = recordsFound(writer, home, search)
  const ground = groundOf(writer, home, right)
  const theirs = found.filter((record) => covering(writer, ground, record).length > 0)
  if ('delete' in deed) {
    const ids = theirs.map(({ id }) => id)
    return { refusals: new Set(), world: withoutRecords(writer.world, home.name, ids), count: ids.length }
  }
  if ('transition' in deed) return judgeMoves(writer, home, theirs, deed.transition)
  return judgeSame(writer, home, theirs, deed.update)
}

function recordsFound(
  writer: Writer,
  home: WorldCollection,
  { filter, terms, except }: Search,
): readonly WorldRecord[] {
  const view = viewOf(writer)
  const there = collectionIn(view, home.name)
  const ids = new Set(
    (there?.records ?? [])
      .filter((record) => there && (!filter || satisfies(view, there, record, filter)))
      .filter((record) => there && (!terms || isFound(view, there, record, terms)))
      .map(({ id }) => id),
  )
  return home.records.filter(({ id }) => ids.has(id) && !except.includes(id))
}

function judgeMoves(
  writer: Writer,
  home: WorldCollection,
  theirs: readonly WorldRecord[],
  destination: Destination,
): FoundVerdict {
  const { workflow } = home.laws
  const here = asSeenBy(writer.world, writer.viewpoint)
  // Those that no move of theirs leads there from are not meant; the others are all taken there, or none.
  const meant = theirs.filter((record) =>
    workflow?.moves.some(
      ({ from, to, when, isMine }) =>
        isMine &&
        to === destination.to &&
        from === record.values[workflow.field] &&
        (!when || satisfies(here, home, record, when)),
    ),
  )
  const faults = meant.flatMap((record) => faultsOfMove(writer, home, record, destination))
  const verdict = faults.length > 0 ? refused(writer.world, ...faults) : judgeMoved(writer, home, meant, destination)
  return { ...verdict, count: meant.length }
}

const withSent = (record: WorldRecord, sent: Sent): WorldRecord => ({
  ...record,
  values: { ...record.values, ...sent },
})

function judgeSame(writer: Writer, home: WorldCollection, theirs: readonly WorldRecord[], sent: Sent): FoundVerdict {
  const ground = groundOf(writer, home, 'update')
  const meant = theirs.filter((record) => areOpen(writer, ground, record, knownIn(home, sent)))
  const faults = [
    ...faultsOfSent(writer, ground, sent),
    ...meant.flatMap((record) => [
      ...faultsOfPointers(writer, home, record, sent),
      ...faultsOfFrozen(writer, home, record, sent),
      ...faultsOfTwins(home, record.id, sent),
    ]),
    // One value cannot stand in several.
    ...(meant.length > 1 ? faultsOfTwins({ ...home, records: meant.map((one) => withSent(one, sent)) }, '', sent) : []),
  ]
  if (faults.length > 0) return { ...refused(writer.world, ...faults), count: 0 }
  const world = meant.reduce(
    (at, record) => withRecord(at, home.name, { ...record, values: { ...record.values, ...sent } }),
    writer.world,
  )
  const changes = meant.map(({ id }) => ({ id, sent }))
  return { ...judgeAfter(writer, { ...writer, world }, ground, changes), count: meant.length }
}
