import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { type Mention, mentionsIn } from '#domain/rich-text/document-references.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { choosableAmong } from '#server/access/people/routes.ts'
import { existingRecords } from '#server/records/crud/store.ts'
import { visibleRecords } from '#server/records/crud/visible-records.ts'

/** `after` contains only the changed fields. `named` are the fields set by the actor; defaults to all of them. */
type ReferenceChange = {
  readonly before: RecordValues
  readonly after: RecordValues
  readonly named?: readonly Field[] | undefined
}

/** Resolves references, with a cache for this write. */
type ReferenceTargets = {
  readonly records: (of: CollectionId) => FindExisting
  readonly existing: (of: CollectionId) => FindExisting
  readonly people: FindExisting
}

type FindExisting = (ids: readonly string[]) => Promise<ReadonlySet<string>>

function createReferenceTargets(writing: Writing): ReferenceTargets {
  const each = (look: (of: CollectionId, ids: readonly RecordId[]) => Promise<ReadonlySet<RecordId>>) => {
    const all = new Map<CollectionId, FindExisting>()
    return (of: CollectionId): FindExisting => {
      const lookUp = all.get(of) ?? memoizeLookup((ids) => look(of, ids))
      all.set(of, lookUp)
      return lookUp
    }
  }
  return {
    records: each((of, ids) => reachableRecords(writing, of, ids)),
    existing: each((of, ids) => existingRecords(writing.transaction, of, ids)),
    people: memoizeLookup((ids) => choosableAmong(writing.transaction.db, ids)),
  }
}

function memoizeLookup(look: FindExisting): FindExisting {
  const requested = new Set<string>()
  const there = new Set<string>()
  return async (ids) => {
    const fresh = new Set(ids.filter((id) => !requested.has(id)))
    if (fresh.size === 0) return there
    for (const id of await look([...fresh])) there.add(id)
    for (const id of fresh) requested.add(id)
    return there
  }
}

/** Looks up all references of records that are written together before checking each record. */
export async function preloadReferenceTargets(
  writing: Writing,
  collection: Collection,
  all: readonly RecordValues[],
): Promise<ReferenceTargets> {
  const reach = createReferenceTargets(writing)
  for (const field of collection.fields) {
    if (field.kind !== 'relation' && field.kind !== 'user') continue
    const ids = all.flatMap((values) => idsIn(values[field.id]))
    await (field.kind === 'user' ? reach.people : reach.records(field.options.collection))(ids)
  }
  return reach
}

/** Reports missing and hidden records with the same error; users who left after being selected are kept. */
export async function checkReferences(
  writing: Writing,
  collection: Collection,
  move: ReferenceChange,
  reach: ReferenceTargets = createReferenceTargets(writing),
): Promise<PartProblem[]> {
  const problems: PartProblem[] = []
  for (const field of collection.fields) {
    if (field.kind === 'rich-text') problems.push(...(await checkMentions(reach, field, move)))
    if (field.kind !== 'relation' && field.kind !== 'user') continue
    const ids = idsIn(move.after[field.id])
    if (ids.length === 0) continue
    if (move.named?.some(({ id }) => id === field.id) === false) {
      problems.push(...(await checkDefaultReference(reach, field, ids)))
      continue
    }
    if (field.kind === 'relation') problems.push(...(await checkRecords(reach, field, field.options.collection, ids)))
    if (field.kind === 'user') {
      const had = new Set(idsIn(move.before[field.id]))
      const added = ids.filter((id) => !had.has(id))
      problems.push(...(await checkPeople(reach, field, added)))
    }
  }
  return problems
}

/** A document can't add references that its author can't see; existing references are kept, even hidden ones. */
async function checkMentions(
  reach: ReferenceTargets,
  field: Field,
  { before, after }: ReferenceChange,
): Promise<PartProblem[]> {
  const had = new Set(mentionsOf(before[field.id]).map(({ id }) => id))
  const added = mentionsOf(after[field.id]).filter(({ id }) => !had.has(id))
  const people = added.flatMap((mention) => (mention.kind === 'user' ? mention.id : []))
  const problems = await checkPeople(reach, field, [...new Set(people)])
  const records = added.filter((mention) => mention.kind === 'record')
  for (const [collection, mentions] of Map.groupBy(records, (mention) => mention.collection)) {
    problems.push(...(await checkRecords(reach, field, collection, [...new Set(mentions.map(({ id }) => id))])))
  }
  return problems
}

const mentionsOf = (value: FieldValue | undefined): readonly Mention[] =>
  typeof value === 'object' && value !== null && 'type' in value ? mentionsIn(value) : []

async function checkRecords(
  reach: ReferenceTargets,
  field: Field,
  collection: CollectionId,
  ids: readonly RecordId[],
): Promise<PartProblem[]> {
  const reachable = await reach.records(collection)(ids)
  return ids
    .filter((id) => !reachable.has(id))
    .map((id) => ({ path: field.name, code: 'unknown-record', message: `Record ${id} not found.` }))
}

/**
 * Default values belong to the workspace: the record's creator doesn't need access to them, and their targets may have
 * been deleted.
 */
async function checkDefaultReference(
  reach: ReferenceTargets,
  { kind, options }: Field,
  ids: readonly string[],
): Promise<PartProblem[]> {
  if (kind !== 'relation') return []
  const existing = await reach.existing(options.collection)(ids)
  return ids.every((id) => existing.has(id)) ? [] : [DEFAULT_TARGET_REMOVED]
}

const DEFAULT_TARGET_REMOVED: PartProblem = {
  path: '',
  code: 'unknown-record',
  message: 'A default value refers to something that no longer exists. Ask an owner.',
}

async function checkPeople(reach: ReferenceTargets, field: Field, ids: readonly UserId[]): Promise<PartProblem[]> {
  const choosable = await reach.people(ids)
  return ids
    .filter((id) => !choosable.has(id))
    .map((id) => ({ path: field.name, code: 'unknown-user', message: `Person ${id} not found.` }))
}

function idsIn(value: FieldValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map(String) : []
}

async function reachableRecords(
  writing: Writing,
  target: string,
  ids: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  const related = writing.definitions.byId.get(target)
  const decision = decide(writing.actor, 'records:read', related)
  if (!related || !decision.allowed || ids.length === 0) return new Set()

  const existing = await existingRecords(writing.transaction, target, ids)
  if (decision.where === undefined) return existing
  return visibleRecords(writing, related, decision, [...existing])
}
