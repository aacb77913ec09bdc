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
import { fieldsOfLinkedValues } from '#domain/formulas/formula-fields.ts'
import { valuesWithFormulas } from '#domain/formulas/formula-values.ts'
import { rollupsIn } from '#domain/formulas/value-field.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import type { NameOf } from '#domain/rich-text/document-references.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { hiddenFieldsIn } from './hidden-fields-in.ts'
import { filesById, peopleById } from './linked-names.ts'
import { findRow } from '#server/records/crud/store.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import { showReferences } from './document-references.ts'
import { showReverseLinks } from './reverse-links.ts'
import { type NameReader, visibleTitles } from './visible-titles.ts'

export type ShowOptions = {
  readonly form: ValueForm
  /** Fields to expand into objects: relations, users, files, references of rich text, and users of system fields. */
  readonly expand: ReadonlySet<string> | 'all'
  readonly fields: ReadonlySet<string> | 'all'
  /** Whether to add the values of reverse sides, which are read from other records as they are now. */
  readonly reverse?: boolean
}

const DEFAULT_SHOW_OPTIONS: ShowOptions = { form: DEFAULT_FORM, expand: new Set(), fields: 'all', reverse: true }

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
  if (names.length === 0) return new Set()
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

export function shownPart(collection: Collection, hidden: HiddenFields, names: ShowOptions['fields']): Collection {
  if (hidden.size === 0 && names === 'all') return collection
  const isShownField = ({ id, name }: Field): boolean => !hidden.has(id) && (names === 'all' || names.has(name))
  return { ...collection, fields: collection.fields.filter(isShownField) }
}

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
    [await withStoredRollups(deps, collection, record)],
    DEFAULT_SHOW_OPTIONS,
  )
  if (!shown) throw new Problem('record-not-found', 'This record no longer exists.')
  return shown
}

/** A record as written, with the values that the write has calculated. */
async function withStoredRollups(
  { database }: RecordDeps,
  collection: Collection,
  record: CollectionRecord,
): Promise<CollectionRecord> {
  const rollups = rollupsIn(collection.fields)
  if (rollups.length === 0) return record
  const rows = await findRow(
    { db: database.readByKey, dialect: database.dialect },
    { ...collection, fields: rollups },
    record.id,
  )
  const [stored] = recordsOfRows({ ...collection, fields: rollups }, rows)
  return { ...record, values: { ...record.values, ...stored?.values } }
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
  const hiddenFields = decision.allowed ? decision.hiddenFields : allFields(collection)
  const visible = shownPart(collection, hiddenFields, showing.fields)
  const shownCollection = withoutReverse(
    deps.isPast === true ? withoutLinkedValues(collection, visible) : visible,
    showing,
  )
  const { fields } = shownCollection
  const definitions = await deps.definitions.current()
  const queryActor = { actor, definitions, now: deps.clock() }
  const hidden = decision.allowed
    ? await hiddenFieldsIn(deps, queryActor, { collection, decision, fields, areWhole }, records)
    : () => hiddenFields
  const calendar = { now: queryActor.now, timeZone: definitions.timeZone }
  const withFormulas = (record: CollectionRecord) => valuesWithFormulas(collection, fields, record, calendar)
  const bodies = records.map(
    (record): RecordBody => ({
      id: record.id,
      version: record.version,
      createdAt: record.createdAt,
      createdBy: record.createdBy,
      updatedAt: record.updatedAt,
      updatedBy: record.updatedBy,
      values: nameValues(shownCollection, withFormulas(record), hidden(record), showing.form),
    }),
  )
  const shown = { records, bodies }
  const people = decision.allowed ? PERSON_FIELDS.filter((name) => isExpanded(showing, { name })) : []
  await showLinks(deps, { actor, definitions, showing }, { fields, people }, shown)
  const reverse = fields.filter((field) => field.kind === 'reverse')
  if (reverse.length > 0) {
    const expanded = reverse.filter((field) => isExpanded(showing, field))
    await showReverseLinks(deps, queryActor, { fields: reverse, expanded }, bodies)
  }
  return addReferences(deps, queryActor, showing, { fields, ...shown })
}

/** Values calculated from linked records aren't known of an earlier time. */
function withoutLinkedValues(collection: Collection, shown: Collection): Collection {
  const unknown = fieldsOfLinkedValues(collection)
  return { ...shown, fields: shown.fields.filter(({ id }) => !unknown.has(id)) }
}

const withoutReverse = (collection: Collection, { reverse }: ShowOptions): Collection =>
  reverse === true || collection.fields.every(isNotReverse)
    ? collection
    : { ...collection, fields: collection.fields.filter(isNotReverse) }

const isNotReverse = ({ kind }: Field): boolean => kind !== 'reverse'

const allFields = ({ fields }: Collection): HiddenFields => new Set(fields.map(({ id }) => id))

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

const isExpanded = ({ expand }: ShowOptions, { name }: Pick<Field, 'name'>): boolean =>
  expand === 'all' || expand.has(name)

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
type LinkFields = { readonly fields: readonly Field[]; readonly people: readonly (typeof PERSON_FIELDS)[number][] }

/**
 * Replaces the IDs of relation, user and files fields with objects visible to the actor, and adds the names of creators
 * and last editors. Reads each kind of target once for all fields.
 */
async function showLinks(
  deps: RecordDeps,
  viewer: Viewer,
  { fields, people }: LinkFields,
  shown: Shown,
): Promise<void> {
  const expanded = fields.filter((field) => isExpanded(viewer.showing, field))
  const ofFiles = expanded.filter(({ kind }) => kind === 'files')
  const ofUsers = expanded.filter(({ kind }) => kind === 'user')
  const files = ofFiles.flatMap((field) => idsIn(field, shown))
  const users = ofUsers.flatMap((field) => idsIn(field, shown))
  const persons = shown.records.flatMap((record) => people.flatMap((name) => record[name] ?? []))
  const [filesFound, usersFound] = await Promise.all([
    filesById(deps, viewer.actor, unique(files)),
    peopleById(deps, unique([...users, ...persons])),
    showRelations(deps, viewer, fields, shown),
  ])
  for (const field of ofFiles) put(field, shown, (id) => filesFound.get(id))
  for (const field of ofUsers) put(field, shown, (id) => usersFound.get(id))
  if (people.length === 0) return
  for (const [at, record] of shown.records.entries()) {
    const named = people.flatMap((name) => usersFound.get(record[name] ?? '') ?? [])
    const body = shown.bodies[at]
    if (body) body.people = Object.fromEntries(named.map(({ id, name }) => [id, name]))
  }
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

/** Reads the visible targets of all relation fields together; unexpanded fields keep the IDs of visible targets. */
async function showRelations(deps: RecordDeps, viewer: Viewer, fields: readonly Field[], shown: Shown): Promise<void> {
  const limited = fields.filter((field) => field.kind === 'relation').filter((field) => isLimited(viewer, field))
  const wanted = new Map<CollectionId, { readonly ids: Set<RecordId>; isTitled: boolean }>()
  for (const field of limited) {
    const { ids, isTitled } = wanted.get(field.options.collection) ?? { ids: new Set<RecordId>(), isTitled: false }
    for (const id of idsIn(field, shown)) ids.add(id)
    wanted.set(field.options.collection, { ids, isTitled: isTitled || isExpanded(viewer.showing, field) })
  }
  const titles = await visibleTitles(deps, viewer, wanted)
  for (const field of limited) {
    const visible = titles.get(field.options.collection)
    const isObject = isExpanded(viewer.showing, field)
    put(field, shown, (id) => {
      const title = visible?.get(id)
      if (title === undefined) return undefined
      return isObject ? { id, title: title || id } : id
    })
  }
}

/** Whether some targets of a relation may be hidden, or their titles are needed. */
function isLimited({ actor, definitions, showing }: Viewer, field: Field<'relation'>): boolean {
  if (isExpanded(showing, field) || definitions.pendingImports.length > 0) return true
  const decision = decide(actor, 'records:read', definitions.byId.get(field.options.collection))
  return !decision.allowed || decision.where !== undefined
}

function idsIn(field: Field, { records, bodies }: Shown): RecordId[] {
  const seen = records.filter((_, at) => isShown(field, bodies[at]))
  return seen.flatMap((record) => idsOf(record.values[field.id]))
}

const isShown = ({ name }: Field, body: Shown['bodies'][number] | undefined): boolean =>
  body !== undefined && Object.hasOwn(body.values, name)

const idsOf = (value: FieldValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : []

/** Replaces IDs with objects; IDs without a visible object are left out. */
function put(field: Field, { records, bodies }: Shown, objectOf: (id: string) => unknown): void {
  for (const [at, record] of records.entries()) {
    const body = bodies[at]
    if (!body || !isShown(field, body)) continue
    const value = record.values[field.id]
    const seen = idsOf(value).flatMap((id) => objectOf(id) ?? [])
    body.values[field.name] = Array.isArray(value) ? seen : (seen[0] ?? null)
  }
}
