import type { FileBody, PersonBody, RecordBody, RelatedBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Decision, decide } from '#domain/access/decide.ts'
import { forAnyRecord, whereFieldsAre } from '#domain/access/narrow-decision.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import { printValue } from '#domain/fields/kinds.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import { didYouMean } from '#domain/query/did-you-mean.ts'
import { PLAIN_FORM, type ValueForm, nameValues } from '#domain/records/named-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import type { CellValue } from '#server/database/database.ts'
import { columnOf } from '#server/query/column-of.ts'
import { namesOf } from '#server/users/people.ts'
import { readAssets } from './assets-store.ts'
import { hiddenIn } from './hidden-in.ts'
import type { RecordNeeds } from './record-needs.ts'
import { rowsInside, scopeOf, visibleIds } from './records-query.ts'
import { readColumnOf } from './store.ts'
import { valueOfCell } from './values-and-row.ts'

/** How records are to be shown. */
export type Showing = {
  readonly form: ValueForm
  /** Names of relation, user and files fields to answer as objects. */
  readonly expand: ReadonlySet<string> | 'all'
  /** Names of the fields to show. */
  readonly fields: ReadonlySet<string> | 'all'
}

/** Everything, in the usual form. */
const PLAIN_SHOWING: Showing = { form: PLAIN_FORM, expand: new Set(), fields: 'all' }

/** Names the fields of a comma-separated list, or refuses by name what is not there for this actor. */
export function namesIn(
  parameter: string,
  text: string | undefined,
  collection: Collection,
  hidden: HiddenFields,
): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const known = new Set(collection.fields.filter((field) => !hidden.has(field.id)).map((field) => field.name))
  const stranger = names.find((name) => !known.has(name))
  if (stranger === undefined) return new Set(names)
  const meant = didYouMean(stranger, [...known])
  throw new Problem('invalid-request', `There is no field “${stranger}” in ${collection.label}.${meant}`, {
    errors: [{ path: parameter, code: 'unknown-field', message: `There is no field “${stranger}”.` }],
  })
}

/** A collection with only those of its fields that are shown: no other has to be read. */
export const shownPart = (collection: Collection, hidden: HiddenFields, names: Showing['fields']): Collection => ({
  ...collection,
  fields: collection.fields.filter((field) => !hidden.has(field.id) && (names === 'all' || names.has(field.name))),
})

/**
 * One record as an actor sees it after a write, who may not be one of its readers: then it is answered without values.
 */
export async function showRecord(
  needs: RecordNeeds,
  actor: Actor,
  collection: Collection,
  record: CollectionRecord,
): Promise<RecordBody> {
  const reading = decide(actor, 'records:read', collection)
  const decision = reading.allowed ? forAnyRecord(reading, collection) : reading
  const [shown] = await showRecords(needs, { actor, collection, decision, areWhole: true }, [record], PLAIN_SHOWING)
  if (!shown) throw new Problem('record-not-found', 'The record is gone.')
  return shown
}

/**
 * Who is shown records; `decision` is what they may see of them, where it is not all that they may read. Whole records,
 * which hold all their values and not only those that are shown, tell by themselves what is hidden in them.
 */
export type RecordViewer = {
  readonly actor: Actor
  readonly collection: Collection
  readonly decision?: Decision
  readonly areWhole?: boolean
}

/** Records as an actor sees them: no field that is hidden, or hidden there, no related record out of their sight. */
export async function showRecords(
  needs: RecordNeeds,
  { actor, collection, decision = decide(actor, 'records:read', collection), areWhole = false }: RecordViewer,
  records: readonly CollectionRecord[],
  showing: Showing,
): Promise<RecordBody[]> {
  const all: HiddenFields = new Set(collection.fields.map((field) => field.id))
  const shownCollection = shownPart(collection, decision.allowed ? decision.hiddenFields : all, showing.fields)
  const { fields } = shownCollection
  const definitions = await needs.definitions.current()
  const asker = { actor, definitions, now: needs.clock() }
  const hidden = decision.allowed
    ? await hiddenIn(needs, asker, { collection, decision, fields, areWhole }, records)
    : () => all
  const bodies = records.map((record) => ({
    id: record.id,
    version: record.version,
    createdAt: record.createdAt,
    createdBy: record.createdBy,
    updatedAt: record.updatedAt,
    updatedBy: record.updatedBy,
    values: nameValues(shownCollection, record.values, hidden(record), showing.form),
  }))

  await Promise.all(
    fields.map((field) => showPointers(needs, { actor, definitions, showing }, field, { records, bodies })),
  )
  return bodies
}

type Viewer = { readonly actor: Actor; readonly definitions: Definitions; readonly showing: Showing }
type Shown = {
  readonly records: readonly CollectionRecord[]
  readonly bodies: readonly { readonly values: { [name: string]: unknown } }[]
}

/** Replaces the ids of a relation, user or files field by what the actor may see of them. One batch a field, never one a record. */
async function showPointers(needs: RecordNeeds, viewer: Viewer, field: Field, shown: Shown): Promise<void> {
  const expands = viewer.showing.expand === 'all' || viewer.showing.expand.has(field.name)
  if (field.kind === 'files' && expands) {
    put(field, shown, await filesById(needs, viewer.actor, idsIn(field, shown)))
  }
  if (field.kind === 'user' && expands) {
    put(field, shown, await peopleById(needs, idsIn(field, shown)))
  }
  if (field.kind !== 'relation') return

  const decision = decide(viewer.actor, 'records:read', viewer.definitions.byId.get(field.options.collection))
  if (expands) put(field, shown, await relatedById(needs, viewer, field, idsIn(field, shown)))
  else if (!decision.allowed || decision.where !== undefined) {
    const ids = await visibleIds(needs, viewer, field.options.collection, idsIn(field, shown))
    put(field, shown, new Map([...ids].map((id) => [id, id])))
  }
}

/** Every id a pointing field holds in these records as far as it is shown, each once. */
function idsIn(field: Field, { records, bodies }: Shown): RecordId[] {
  const seen = records.filter((_, at) => isShown(field, bodies[at]))
  return [...new Set(seen.flatMap((record) => idsOf(record.values[field.id])))]
}

const isShown = ({ name }: Field, body: Shown['bodies'][number] | undefined): boolean =>
  body !== undefined && Object.hasOwn(body.values, name)

const idsOf = (value: FieldValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : []

/** What stands for each id; ids that stand for nothing are left out. */
function put(field: Field, { records, bodies }: Shown, byId: ReadonlyMap<string, unknown>): void {
  for (const [at, record] of records.entries()) {
    const body = bodies[at]
    if (!body || !isShown(field, body)) continue
    const value = record.values[field.id]
    const seen = idsOf(value).flatMap((id) => byId.get(id) ?? [])
    body.values[field.name] = Array.isArray(value) ? seen : (seen[0] ?? null)
  }
}

async function relatedById(
  needs: RecordNeeds,
  viewer: Viewer,
  field: Field<'relation'>,
  ids: readonly RecordId[],
): Promise<Map<RecordId, RelatedBody>> {
  const visible = [...(await visibleIds(needs, viewer, field.options.collection, ids))]
  const related = viewer.definitions.byId.get(field.options.collection)
  const decision: Decision = decide(viewer.actor, 'records:read', related)
  if (!related || !decision.allowed) return new Map()
  const titles = await titlesOf(needs, viewer, related, visible)
  return new Map(visible.map((id) => [id, { id, title: titles.get(id) || id }]))
}

/** What names these records to somebody who sees them: the title field's value where it is there for them, else nothing. */
export async function titlesOf(
  needs: Pick<RecordNeeds, 'database' | 'clock'>,
  { actor, definitions }: Pick<Viewer, 'actor' | 'definitions'>,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<Map<RecordId, string>> {
  const field = collection.titleField === null ? undefined : fieldById(collection, collection.titleField)
  const decision = decide(actor, 'records:read', collection)
  if (!field || ids.length === 0 || !decision.allowed || decision.hiddenFields.has(field.id)) return new Map()
  const column = columnOf(field.id)
  const print = (cell: CellValue | undefined): string => printValue(field, valueOfCell(field, cell))
  // Read together with the condition: a record that leads out of sight in between takes its new name with it.
  const bounded = whereFieldsAre(decision, [field.id])
  if (bounded?.where) {
    const asker = { actor, definitions, now: needs.clock() }
    const rows = await rowsInside(
      scopeOf(needs, definitions),
      asker,
      { collection, decision: bounded, fields: [field] },
      ids,
    )
    return new Map(rows.map((row) => [String(row['id']), print(row[column])]))
  }
  const cells = await readColumnOf(needs.database.read, collection.id, column, ids)
  return new Map([...cells].map(([id, cell]) => [id, print(cell)]))
}

/** Whoever may read the field may read the names in it. */
async function peopleById(needs: RecordNeeds, ids: readonly string[]): Promise<Map<string, PersonBody>> {
  const names = await namesOf(needs.database.read, ids)
  return new Map([...names].map(([id, name]) => [id, { id, name }]))
}

async function filesById(needs: RecordNeeds, actor: Actor, ids: readonly string[]): Promise<Map<string, FileBody>> {
  const assets = await readAssets(needs.database.read, ids)
  return new Map(
    assets.map((asset) => [
      asset.id,
      {
        id: asset.id,
        name: asset.name,
        type: asset.type,
        bytes: asset.bytes,
        width: asset.width,
        height: asset.height,
        ...needs.fileAddress(asset, actor),
      },
    ]),
  )
}
