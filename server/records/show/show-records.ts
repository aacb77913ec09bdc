import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type Decision, decide, forUnfilteredRecords } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import { PERSON_FIELDS, isPersonField } from '#domain/fields/system-fields.ts'
import { didYouMean } from '#domain/query/filter/did-you-mean.ts'
import { DEFAULT_FORM, type ValueForm, nameValues, apiValue } from '#domain/records/named-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import type { NameOf } from '#domain/rich-text/document-references.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { namesOf } from '#server/access/people/routes.ts'
import { hiddenFieldsIn } from './hidden-fields-in.ts'
import { filesById, type NameReader, peopleById, relatedById } from './linked-names.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type QueryActor, visibleIds } from '#server/access/record-access/authorized-query.ts'
import { showReferences } from './document-references.ts'

export type ShowOptions = {
  readonly form: ValueForm
  /** Fields to expand into objects: relations, users, files, references of rich text, and users of system fields. */
  readonly expand: ReadonlySet<string> | 'all'
  readonly fields: ReadonlySet<string> | 'all'
}

const DEFAULT_SHOW_OPTIONS: ShowOptions = { form: DEFAULT_FORM, expand: new Set(), fields: 'all' }

/** Parses a comma-separated field list; rejects fields that the actor can't see. */
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

/** Parses the fields to expand, including creator and last editor; `*` expands all of them. */
export function expandedIn(
  text: string | undefined,
  collection: Collection,
  hidden: HiddenFields,
): ShowOptions['expand'] {
  if (text === '*') return 'all'
  const names = (text ?? '').split(',').map((name) => name.trim())
  const fields = names.filter((name) => !isPersonField(name)).join(',')
  return new Set([...names.filter(isPersonField), ...(namesIn('expand', fields, collection, hidden) ?? [])])
}

export const shownPart = (collection: Collection, hidden: HiddenFields, names: ShowOptions['fields']): Collection => ({
  ...collection,
  fields: collection.fields.filter((field) => !hidden.has(field.id) && (names === 'all' || names.has(field.name))),
})

/** A record as returned after a write; without values if the actor has no read permission. */
export async function showRecord(
  deps: RecordDeps,
  actor: Actor,
  collection: Collection,
  record: CollectionRecord,
): Promise<RecordBody> {
  const reading = decide(actor, 'records:read', collection)
  const decision = reading.allowed ? forUnfilteredRecords(reading, collection) : reading
  const [shown] = await showRecords(
    deps,
    { actor, collection, decision, areWhole: true },
    [record],
    DEFAULT_SHOW_OPTIONS,
  )
  if (!shown) throw new Problem('record-not-found', 'This record no longer exists.')
  return shown
}

/** `decision` is the actor's read decision. Complete records contain all values. */
export type RecordViewer = {
  readonly actor: Actor
  readonly collection: Collection
  readonly decision?: Decision
  readonly areWhole?: boolean
}

/** Records as seen by an actor: without hidden fields and hidden related records. */
export async function showRecords(
  deps: RecordDeps,
  { actor, collection, decision = decide(actor, 'records:read', collection), areWhole = false }: RecordViewer,
  records: readonly CollectionRecord[],
  showing: ShowOptions,
): Promise<RecordBody[]> {
  const all: HiddenFields = new Set(collection.fields.map((field) => field.id))
  const shownCollection = shownPart(collection, decision.allowed ? decision.hiddenFields : all, showing.fields)
  const { fields } = shownCollection
  const definitions = await deps.definitions.current()
  const queryActor = { actor, definitions, now: deps.clock() }
  const hidden = decision.allowed
    ? await hiddenFieldsIn(deps, queryActor, { collection, decision, fields, areWhole }, records)
    : () => all
  const people = decision.allowed ? await peopleOf(deps, showing, records) : undefined
  const bodies = records.map((record) => ({
    id: record.id,
    version: record.version,
    createdAt: record.createdAt,
    createdBy: record.createdBy,
    updatedAt: record.updatedAt,
    updatedBy: record.updatedBy,
    values: nameValues(shownCollection, record.values, hidden(record), showing.form),
    ...(people && { people: people(record) }),
  }))

  await Promise.all(
    fields.map((field) => showPointers(deps, { actor, definitions, showing }, field, { records, bodies })),
  )
  return addReferences(deps, queryActor, showing, { fields, records, bodies })
}

async function peopleOf(deps: RecordDeps, { expand }: ShowOptions, records: readonly CollectionRecord[]) {
  const wanted = PERSON_FIELDS.filter((name) => expand === 'all' || expand.has(name))
  if (wanted.length === 0) return undefined
  const idsIn = (record: CollectionRecord) => wanted.flatMap((name) => record[name] ?? [])
  const names = await namesOf(deps.database.read, [...new Set(records.flatMap(idsIn))])
  return (record: CollectionRecord): Record<string, string> =>
    Object.fromEntries(
      idsIn(record).flatMap((id) => {
        const name = names.get(id)
        return name === undefined ? [] : [[id, name]]
      }),
    )
}

async function addReferences(
  deps: RecordDeps,
  queryActor: QueryActor,
  showing: ShowOptions,
  { fields, records, bodies }: Shown & { readonly fields: readonly Field[] },
): Promise<RecordBody[]> {
  const texts = fields.filter(({ kind }) => kind === 'rich-text')
  const expanded = texts.filter((field) => isExpanded(showing, field))
  const printed = isNamed(showing.form) ? texts : []
  if (expanded.length + printed.length === 0) return [...bodies]
  const open = printed.length > 0 ? printed : expanded
  const opened = records.map((record, at) => ({ record: record.id, documents: documentsIn(open, record, bodies[at]) }))
  const inside = await showReferences(deps, queryActor, opened)
  return bodies.map((body, at) => {
    const found = inside[at]
    if (found === undefined) return body
    const nameOf: NameOf = ({ kind, id }) => (kind === 'user' ? found.people[id] : found.records[id])
    for (const field of printed) {
      const value = records[at]?.values[field.id] ?? null
      if (isShown(field, body)) body.values[field.name] = apiValue(field, value, showing.form, nameOf)
    }
    return expanded.length > 0 ? { ...body, inside: found } : body
  })
}

/** The plain text used for search and highlights contains no references. */
const isNamed = ({ richText }: ValueForm): boolean => richText === 'html' || richText === 'markdown'

const isExpanded = ({ expand }: ShowOptions, { name }: Field): boolean => expand === 'all' || expand.has(name)

const documentsIn = (open: readonly Field[], record: CollectionRecord, body: Shown['bodies'][number] | undefined) =>
  open.flatMap((field): RichDocument[] => {
    const value = isShown(field, body) ? record.values[field.id] : null
    return typeof value === 'object' && value !== null && 'type' in value ? [value] : []
  })

type Viewer = NameReader & { readonly showing: ShowOptions }
type Shown = {
  readonly records: readonly CollectionRecord[]
  readonly bodies: readonly RecordBody[]
}

/** Replaces the IDs of a relation, user or files field with objects visible to the actor, in one batch per field. */
async function showPointers(deps: RecordDeps, viewer: Viewer, field: Field, shown: Shown): Promise<void> {
  const expands = isExpanded(viewer.showing, field)
  if (field.kind === 'files' && expands) {
    put(field, shown, await filesById(deps, viewer.actor, idsIn(field, shown)))
  }
  if (field.kind === 'user' && expands) {
    put(field, shown, await peopleById(deps, idsIn(field, shown)))
  }
  if (field.kind !== 'relation') return

  const decision = decide(viewer.actor, 'records:read', viewer.definitions.byId.get(field.options.collection))
  if (expands) put(field, shown, await relatedById(deps, viewer, field, idsIn(field, shown)))
  else if (!decision.allowed || decision.where !== undefined) {
    const ids = await visibleIds(deps, viewer, field.options.collection, idsIn(field, shown))
    put(field, shown, new Map([...ids].map((id) => [id, id])))
  }
}

function idsIn(field: Field, { records, bodies }: Shown): RecordId[] {
  const seen = records.filter((_, at) => isShown(field, bodies[at]))
  return [...new Set(seen.flatMap((record) => idsOf(record.values[field.id])))]
}

const isShown = ({ name }: Field, body: Shown['bodies'][number] | undefined): boolean =>
  body !== undefined && Object.hasOwn(body.values, name)

const idsOf = (value: FieldValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : []

/** Objects by ID; IDs without a visible object are left out. */
function put(field: Field, { records, bodies }: Shown, byId: ReadonlyMap<string, unknown>): void {
  for (const [at, record] of records.entries()) {
    const body = bodies[at]
    if (!body || !isShown(field, body)) continue
    const value = record.values[field.id]
    const seen = idsOf(value).flatMap((id) => byId.get(id) ?? [])
    body.values[field.name] = Array.isArray(value) ? seen : (seen[0] ?? null)
  }
}
