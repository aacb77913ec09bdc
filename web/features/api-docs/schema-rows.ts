import { t } from '#web/i18n/t.ts'
import type { Schema } from './open-api.ts'

/** A property of a body or response. */
export type SchemaRow = {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

type Schemas = { readonly [name: string]: Schema }

/** Deeper properties show only their type. */
const MAX_DEPTH = 3

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Resolves references and merges `allOf`. */
function whole(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined) return whole(schemas[nameOf(schema.$ref)] ?? {}, schemas)
  if (!schema.allOf) return schema
  const parts = schema.allOf.map((part) => whole(part, schemas))
  const properties = new Map<string, Schema>()
  for (const part of parts)
    for (const [name, told] of Object.entries(part.properties ?? {})) {
      const before = properties.get(name)
      properties.set(name, before ? { allOf: [before, told] } : told)
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

/** The title unless it repeats the name, and the description. */
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
