import type { Endpoint } from '#api/endpoint.ts'
import * as api from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide, restrictedFields } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import {
  type Field,
  type FieldKind,
  type FilesOptions,
  hasSelectOptions,
  isEntered,
  type SelectKind,
  type TextOptions,
} from '#domain/fields/field.ts'
import { needsValue } from '#domain/fields/kinds.ts'
import { type ComputedField, resultField } from '#domain/formulas/value-field.ts'
import { can } from '#server/platform/http/access.ts'
import { accessSchema, problemResponses } from './describe-endpoints.ts'
import { describeParameters } from './describe-parameters.ts'
import { inJson, type Json, objectParts, type ObjectParts, refTo } from './json-schema.ts'
import { EXAMPLE_ID } from './examples.ts'

type KindSchema<Kind extends FieldKind> = {
  readonly schema: (field: Field<Kind>) => Json
  readonly example: (field: Field<Kind>) => unknown
}

const text = (example: string, format?: string): KindSchema<'text' | 'long-text' | 'email' | 'url' | 'phone'> => ({
  schema: ({ options }) => ({ type: ['string', 'null'], ...(format && { format }), ...lengths(options) }),
  example: ({ options }) => fitLength(example, options),
})

const fitLength = (text: string, { min = 0, max }: TextOptions): string => text.padEnd(min, '.').slice(0, max)

const lengths = ({ min, max, pattern }: TextOptions): Json => ({
  ...(min !== undefined && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
  // Anchored, because our patterns must match the whole text.
  ...(pattern !== undefined && { pattern: `^(?:${pattern})$` }),
})

const namesOf = (field: Field<SelectKind>): readonly string[] => field.options.choices.map(({ name }) => name)

const optionSchema: KindSchema<'select' | 'state'> = {
  schema: (field) => ({ type: ['string', 'null'], enum: [...namesOf(field), null] }),
  example: (field) => namesOf(field)[0] ?? null,
}

const ids = (description: string): Json => ({ type: 'array', items: { type: 'string' }, description })

/** IDs of linked records or users. */
const pointer = (description: string): KindSchema<'relation' | 'user'> => ({
  schema: ({ options }) => (options.many ? ids(description) : { type: ['string', 'null'], description }),
  example: ({ options }) => (options.many ? [EXAMPLE_ID] : EXAMPLE_ID),
})

const files = ({ max, accept, maxBytes }: FilesOptions): Json => ({
  ...ids('IDs of uploaded files, in order.'),
  ...(max !== undefined && { maxItems: max }),
  ...(accept && { 'x-accept': accept }),
  ...(maxBytes !== undefined && { 'x-max-bytes': maxBytes }),
})

/** A field whose values have the kind of its result and can't be written. */
const computed = (description: string): KindSchema<ComputedField['kind']> => ({
  schema: (field) => {
    const result = resultField(field)
    return { ...kindSchemaOf(result).schema(result), readOnly: true, description }
  },
  example: (field) => kindSchemaOf(resultField(field)).example(resultField(field)),
})

const KINDS: { readonly [Kind in FieldKind]: KindSchema<Kind> } = {
  text: text('Boat house'),
  'long-text': text('Two lines.\nThis is the second.'),
  'rich-text': {
    schema: () => ({
      type: ['object', 'null'],
      description: 'A ProseMirror document. Requests can also send `{ "html": … }` or `{ "markdown": … }`.',
    }),
    example: () => ({ markdown: 'What was **agreed**' }),
  },
  number: {
    schema: ({ options: { min, max } }) => ({
      type: ['number', 'null'],
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    }),
    example: ({ options: { min, max } }) => min ?? Math.min(max ?? 12, 12),
  },
  checkbox: { schema: () => ({ type: 'boolean' }), example: () => true },
  date: { schema: () => ({ type: ['string', 'null'], format: 'date' }), example: () => '2026-11-05' },
  'date-time': {
    schema: () => ({ type: ['string', 'null'], format: 'date-time' }),
    example: () => '2026-11-05T09:30:00.000Z',
  },
  select: optionSchema,
  state: optionSchema,
  'multi-select': {
    schema: (field) => ({ type: 'array', items: { type: 'string', enum: namesOf(field) }, uniqueItems: true }),
    example: (field) => namesOf(field).slice(0, 2),
  },
  email: text('ada@example.org', 'email'),
  url: text('https://example.org', 'uri'),
  phone: text('+43 1 234567'),
  relation: pointer('Record ID; with `expand`, its ID and title.'),
  reverse: {
    schema: () => ({
      type: 'object',
      readOnly: true,
      properties: { count: { type: 'integer' }, records: ids('IDs; with `expand`, IDs and titles.') },
      description: 'The records that link to this one: their number, and the first ten. Change the relation instead.',
    }),
    example: () => ({ count: 1, records: [EXAMPLE_ID] }),
  },
  user: pointer('User ID; with `expand`, their ID and name.'),
  files: { schema: ({ options }) => files(options), example: () => [EXAMPLE_ID] },
  'auto-number': {
    schema: () => ({ type: ['integer', 'null'], readOnly: true, description: 'Assigned by the server.' }),
    example: () => 1,
  },
  json: { schema: () => ({ description: 'Any JSON.' }), example: () => ({ any: 'thing' }) },
  formula: computed('Calculated from other fields and linked records.'),
  lookup: computed('Values of linked records.'),
  count: computed('The number of linked records.'),
  rollup: computed('Summarizes values of linked records.'),
}

// TypeScript can't infer that `KINDS[kind]` has this kind.
const kindSchemaOf = ({ kind }: Field): KindSchema<FieldKind> => KINDS[kind] as KindSchema<FieldKind>

const propertiesOf = (fields: readonly Field[]): Json =>
  Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)]))

function schemaOfField(field: Field): Json {
  const schema = kindSchemaOf(field).schema(field)
  const description = [field.description, schema['description']].filter(Boolean).join('\n\n')
  return { title: field.label, ...schema, ...(description !== '' && { description }) }
}

/** Whether a valid example can be generated; false for references and patterns. */
const hasExample = ({ kind, options }: Field): boolean =>
  !['relation', 'reverse', 'user', 'files'].includes(kind) && !('pattern' in options && options.pattern !== undefined)

const exampleOfField = (field: Field): unknown => kindSchemaOf(field).example(field)

type WriteUse = { readonly isSent: boolean; readonly isNeeded: boolean }

/** A collection, limited to the fields that one actor can access. */
type VisibleCollection = {
  readonly actor: Actor
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly written: ReadonlyMap<Field, WriteUse>
}

/** The collection's record endpoints; undefined if the actor can't read its records. */
export function describePaths(actor: Actor, collection: Collection): Json | undefined {
  const seen = visibleTo(actor, collection)
  if (!seen) return undefined
  const place = `/api/collections/${collection.name}/records`
  const list = { ...operation(seen, 'list'), ...operation(seen, 'create') }
  const one = { ...operation(seen, 'read'), ...operation(seen, 'update'), ...operation(seen, 'delete') }
  return { [place]: list, [`${place}/{record}`]: one }
}

/** The collection's record schemas; undefined if the actor can't read its records. */
export function describeSchemas(actor: Actor, collection: Collection): Json | undefined {
  const seen = visibleTo(actor, collection)
  return seen && schemasOf(seen)
}

/** Fields that the actor can't read are omitted, even if they manage the collection. */
function visibleTo(actor: Actor, collection: Collection): VisibleCollection | undefined {
  const reading = decide(actor, 'records:read', collection)
  if (!reading.allowed) return undefined
  const fields = collection.fields.filter(({ id }) => !reading.hiddenFields.has(id))
  return { actor, collection, fields, written: writeUses(actor, collection, fields) }
}

function writeUses(actor: Actor, collection: Collection, fields: readonly Field[]): ReadonlyMap<Field, WriteUse> {
  const closed = restrictedFields(actor, collection)
  const written = (field: Field): WriteUse => {
    const isMoved = collection.workflow?.field === field.id
    const isSent =
      field.kind !== 'auto-number' && isEntered(field) && !isMoved && closed.get(field.id)?.create !== 'wholly'
    return { isSent, isNeeded: isSent && needsValue(field) }
  }
  return new Map(fields.map((field) => [field, written(field)]))
}

type RecordOperation = { readonly endpoint: Endpoint; readonly permission: Permission }

const RECORD_OPERATIONS = {
  list: { endpoint: api.listRecords, permission: 'records:read' },
  create: { endpoint: api.createRecord, permission: 'records:create' },
  read: { endpoint: api.readRecord, permission: 'records:read' },
  update: { endpoint: api.updateRecord, permission: 'records:update' },
  delete: { endpoint: api.deleteRecord, permission: 'records:delete' },
} as const satisfies { readonly [name: string]: RecordOperation }

type RecordOperationName = keyof typeof RECORD_OPERATIONS

function operation(seen: VisibleCollection, name: RecordOperationName): Json {
  const { actor, collection } = seen
  const { endpoint, permission }: RecordOperation = RECORD_OPERATIONS[name]
  if (!decide(actor, permission, collection).allowed) return {}
  const parameters = describeParameters(endpoint).filter((part) => part['name'] !== 'collection')
  const access = can(permission)
  return {
    [endpoint.method.toLowerCase()]: {
      operationId: `${collection.name}.${name}`,
      tags: [collection.label],
      summary: endpoint.summary,
      'x-collection': collection.name,
      parameters: parameters.map((part) => withExample(part, seen)),
      ...(name === 'create' && bodyOf(seen, name)),
      ...(name === 'update' && bodyOf(seen, name)),
      responses: {
        [endpoint.status]: answerOf(collection, name),
        ...problemResponses(access, endpoint),
      },
      ...accessSchema(access, endpoint),
    },
  }
}

function answerOf({ name: collection }: Collection, name: RecordOperationName): Json {
  const { summary } = RECORD_OPERATIONS[name].endpoint
  if (name === 'delete') return { description: summary }
  return { description: summary, content: inJson(refTo(`${collection}.${name === 'list' ? 'list' : 'record'}`)) }
}

/** Minimum number of fields in an example. */
const SHOWN_FIELDS = 6

function bodyOf({ collection, fields, written }: VisibleCollection, name: 'create' | 'update'): Json {
  const sent = fields.filter((field) => written.get(field)?.isSent)
  const needed = sent.filter((field) => written.get(field)?.isNeeded)
  const free = sent.filter(hasExample)
  const shown = name === 'create' ? [...new Set([...needed, ...free.slice(0, SHOWN_FIELDS)])] : free.slice(0, 1)
  const values = Object.fromEntries(shown.map((field) => [field.name, exampleOfField(field)]))
  return { requestBody: { required: true, content: inJson(refTo(`${collection.name}.${name}`), { values }) } }
}

function withExample(parameter: Json, { fields }: VisibleCollection): Json {
  const [first] = fields
  if (parameter['name'] === 'sort' && first) return { ...parameter, example: `-${first.name}` }
  const filtered = fields.find((field) => hasSelectOptions(field) && field.options.choices.length > 0) ?? first
  if (parameter['name'] !== 'filter' || !filtered) return parameter
  return { ...parameter, example: filterExample(filtered) }
}

function filterExample(field: Field): string {
  if (!hasSelectOptions(field)) return `${field.name} is not empty`
  return `${field.name} = ${JSON.stringify(field.options.choices[0]?.name ?? '')}`
}

/** Record properties shared by all collections. */
const RECORD = objectParts(api.listedRecord, 'output')
const PAGE = objectParts(api.listRecords.response, 'output')

const extended = ({ properties, required }: ObjectParts, own: Json): Json => ({
  type: 'object',
  properties: { ...properties, ...own },
  required,
  additionalProperties: false,
})

function schemasOf(seen: VisibleCollection): Json {
  const { collection, fields } = seen
  const of = (part: string): string => `${collection.name}.${part}`
  const values = refTo(of('values'))
  return {
    [of('values')]: {
      type: 'object',
      title: collection.label,
      ...(collection.description !== undefined && { description: collection.description }),
      properties: propertiesOf(fields),
      additionalProperties: false,
    },
    [of('create')]: createSchema(seen, values),
    [of('update')]: { type: 'object', properties: { values, version: { type: 'integer' } }, required: ['values'] },
    [of('record')]: extended(RECORD, { values, inside: refTo('documentReferences') }),
    [of('list')]: extended(PAGE, { items: { type: 'array', items: refTo(of('record')) } }),
  }
}

/** Repeats the schemas of required fields, because client generators ignore a `required` list alone. */
function createSchema({ fields, written }: VisibleCollection, values: Json): Json {
  const needed = fields.filter((field) => written.get(field)?.isNeeded)
  if (needed.length === 0) return { type: 'object', properties: { values } }
  const required = { type: 'object', properties: propertiesOf(needed), required: needed.map(({ name }) => name) }
  return { type: 'object', properties: { values: { allOf: [values, required] } }, required: ['values'] }
}
