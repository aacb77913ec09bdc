import { t } from '#web/i18n/t.ts'

/** The JSON Schema properties that are displayed. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly contentMediaType?: string
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly example?: string
  readonly schema: Schema
  /** Whether examples must contain this parameter. */
  readonly 'x-shown'?: boolean
}

type Content = { readonly [type: string]: { readonly schema?: Schema; readonly example?: unknown } }

export type Answer = {
  readonly description: string
  readonly headers?: { readonly [name: string]: { readonly description: string } }
  readonly content?: Content
  readonly 'x-codes'?: readonly string[]
}

type OperationObject = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly [status: string]: Answer }
  readonly security?: readonly unknown[]
  readonly 'x-permission'?: string
  readonly 'x-by-hand'?: boolean
  readonly 'x-collection'?: string
}

export type OpenApiDocument = {
  readonly info: { readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: OperationObject } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

export type Operation = OperationObject & { readonly path: string; readonly method: string }

/** A group of operations. `isCollection`: the operations apply to the records of one collection. */
export type Area = { readonly name: string; readonly isCollection: boolean; readonly operations: readonly Operation[] }

/** Sort order of the methods: read operations come first. */
const METHODS = ['options', 'head', 'get', 'post', 'put', 'patch', 'delete']

const byMethod = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  METHODS.indexOf(left) - METHODS.indexOf(right)

/** Groups operations by area; the user's own collections come first. */
export function areasOf({ paths }: OpenApiDocument): readonly Area[] {
  const areas = new Map<string, Operation[]>()
  for (const [path, verbs] of Object.entries(paths))
    for (const [method, operation] of Object.entries(verbs).toSorted(byMethod)) {
      const key = JSON.stringify([operation['x-collection'] ?? null, operation.tags[0] ?? ''])
      areas.set(key, [...(areas.get(key) ?? []), { ...operation, path, method: method.toUpperCase() }])
    }
  const all = [...areas.values()].map((operations) => ({
    name: operations[0]?.tags[0] ?? '',
    isCollection: operations[0]?.['x-collection'] !== undefined,
    operations,
  }))
  return [...all.filter(({ isCollection }) => isCollection), ...all.filter(({ isCollection }) => !isCollection)]
}

/** Finds operations that match every search word. */
export function findOperations(areas: readonly Area[], text: string): readonly Area[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ method, path, summary, operationId, tags }: Operation) => {
    const all = [method, path, summary, operationId, ...tags].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return areas
    .map((area) => ({ ...area, operations: area.operations.filter(fits) }))
    .filter(({ operations }) => operations.length > 0)
}

export const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']

export const successResponses = ({ responses }: Operation): readonly (readonly [status: string, answer: Answer])[] =>
  Object.entries(responses).filter(([, { 'x-codes': codes }]) => codes === undefined)

/** A property of a body or response. */
type SchemaRow = {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

type Schemas = { readonly [name: string]: Schema }

/** Maximum nesting depth of listed properties. */
const MAX_DEPTH = 3

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Resolves references and merges `allOf` schemas. */
function whole(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined) return whole(schemas[nameOf(schema.$ref)] ?? {}, schemas)
  if (!schema.allOf) return schema
  const parts = schema.allOf.map((part) => whole(part, schemas))
  const properties = new Map<string, Schema>()
  for (const part of parts)
    for (const [name, reported] of Object.entries(part.properties ?? {})) {
      const before = properties.get(name)
      properties.set(name, before ? { allOf: [before, reported] } : reported)
    }
  return {
    ...Object.assign({}, ...parts),
    ...(properties.size > 0 && { type: 'object', properties: Object.fromEntries(properties) }),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

export function typeText(schema: Schema, schemas: Schemas): string {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' · ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeText(one, schemas)))].join(' · ')
  const { type, items, format } = whole(schema, schemas)
  const names = [type ?? t('any')].flat()
  const said = names.map((name) => (name === 'array' && items ? `${typeText(items, schemas)}[]` : name)).join(' · ')
  return format === undefined ? said : `${said} (${format})`
}

/** The title, unless it repeats the name, followed by the description. */
function aboutOf(name: string, { title = '', description = '' }: Schema): string {
  const isSame = title.toLowerCase() === name.toLowerCase()
  return [isSame ? '' : title, description].filter(Boolean).join('. ')
}

export function schemaRows(given: Schema | undefined, schemas: Schemas, depth = 0): readonly SchemaRow[] {
  if (!given || depth > MAX_DEPTH) return []
  const schema = whole(given, schemas)
  if (schema.items) return schemaRows(schema.items, schemas, depth)
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
    {
      name,
      depth,
      type: typeText(part, schemas),
      isRequired: schema.required?.includes(name) === true,
      about: aboutOf(name, part),
    },
    ...schemaRows(part, schemas, depth + 1),
  ])
}
