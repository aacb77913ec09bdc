import type { Endpoint } from '#api/endpoint.ts'
import * as api from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { restrictedFields } from '#domain/access/restricted-fields.ts'
import { decide } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, hasSelectOptions } from '#domain/fields/field.ts'
import { can } from '#server/platform/http/access.ts'
import { problemResponses, accessSchema } from './describe-endpoints.ts'
import { describeParameters } from './describe-parameters.ts'
import { exampleOfField, hasExample, schemaOfField } from './field-schema.ts'
import { inJson, type Json, refTo } from './json-schema.ts'

/** What becomes of a field in what one sends. */
type WriteUse = { readonly isSent: boolean; readonly isNeeded: boolean }

/** A collection with what of it is there for one actor. */
type VisibleCollection = {
  readonly actor: Actor
  readonly collection: Collection
  readonly fields: readonly Field[]
  readonly written: ReadonlyMap<Field, WriteUse>
}

/** What can be asked about the records of a collection. Undefined: they read no records here. */
export function describePaths(actor: Actor, collection: Collection): Json | undefined {
  const seen = visibleTo(actor, collection)
  if (!seen) return undefined
  const place = `/api/collections/${collection.name}/records`
  const list = { ...operation(seen, 'list'), ...operation(seen, 'create') }
  const one = { ...operation(seen, 'read'), ...operation(seen, 'update'), ...operation(seen, 'delete') }
  return { [place]: list, [`${place}/{record}`]: one }
}

/** What these records look like. Undefined: they read no records here. */
export function describeSchemas(actor: Actor, collection: Collection): Json | undefined {
  const seen = visibleTo(actor, collection)
  return seen && schemasOf(seen)
}

/**
 * The records of a collection as one actor may read and write them, with its own fields by their names. A field that
 * they may not read is not in it, whoever manages the collection or not.
 */
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
    const isSent = field.kind !== 'auto-number' && !isMoved && closed.get(field.id)?.create !== 'wholly'
    return { isSent, isNeeded: isSent && field.required && field.default === null }
  }
  return new Map(fields.map((field) => [field, written(field)]))
}

type RecordOperation = { readonly endpoint: Endpoint; readonly permission: Permission }

/** What can be done with records. */
const RECORD_OPERATIONS = {
  list: { endpoint: api.listRecords, permission: 'records:read' },
  create: { endpoint: api.createRecord, permission: 'records:create' },
  read: { endpoint: api.readRecord, permission: 'records:read' },
  update: { endpoint: api.updateRecord, permission: 'records:update' },
  delete: { endpoint: api.deleteRecord, permission: 'records:delete' },
} as const satisfies { readonly [name: string]: RecordOperation }

type RecordOperationName = keyof typeof RECORD_OPERATIONS

/** What one may do with the records of this collection; nothing, where one may not. */
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

/** As many fields an example shows at least. */
const SHOWN_FIELDS = 6

function bodyOf({ collection, fields, written }: VisibleCollection, name: 'create' | 'update'): Json {
  const sent = fields.filter((field) => written.get(field)?.isSent)
  const needed = sent.filter((field) => written.get(field)?.isNeeded)
  const free = sent.filter(hasExample)
  const shown = name === 'create' ? [...new Set([...needed, ...free.slice(0, SHOWN_FIELDS)])] : free.slice(0, 1)
  const values = Object.fromEntries(shown.map((field) => [field.name, exampleOfField(field)]))
  return { requestBody: { required: true, content: inJson(refTo(`${collection.name}.${name}`), { values }) } }
}

/** A filter and an order that name fields there are. */
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

function schemasOf({ collection, fields, written }: VisibleCollection): Json {
  const of = (part: string): string => `${collection.name}.${part}`
  const needed = fields.filter((field) => written.get(field)?.isNeeded).map(({ name }) => name)
  const values = refTo(of('values'))
  return {
    [of('values')]: {
      type: 'object',
      title: collection.label,
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
      additionalProperties: false,
    },
    [of('create')]: {
      type: 'object',
      properties: { values: needed.length > 0 ? { allOf: [values, { required: needed }] } : values },
    },
    [of('update')]: { type: 'object', properties: { values, version: { type: 'integer' } }, required: ['values'] },
    [of('record')]: { allOf: [refTo('recordBody'), { properties: { values } }] },
    [of('list')]: {
      allOf: [refTo('listRecords.answer'), { properties: { items: { items: refTo(of('record')) } } }],
    },
  }
}
