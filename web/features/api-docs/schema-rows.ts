import { t } from '#web/i18n/t.ts'
import type { Schema } from './open-api.ts'

/** One part of a body or an answer. */
export type SchemaRow = {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

type Schemas = { readonly [name: string]: Schema }

/** Deeper parts are told by their type alone. */
const MAX_DEPTH = 3

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A schema with all it is made of in one. What several parts tell of one thing is made of all they tell. */
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

/** What a value is, in few words. */
export function typeText(schema: Schema, schemas: Schemas): string {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' · ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeText(one, schemas)))].join(' · ')
  const { type, items, format } = whole(schema, schemas)
  const names = [type ?? t('any')].flat()
  const said = names.map((name) => (name === 'array' && items ? `${typeText(items, schemas)}[]` : name)).join(' · ')
  return format === undefined ? said : `${said} (${format})`
}

/** What people call it, where that is not its name once more, and what there is to know. */
function aboutOf(name: string, { title = '', description = '' }: Schema): string {
  const isSame = title.toLowerCase() === name.toLowerCase()
  return [isSame ? '' : title, description].filter(Boolean).join('. ')
}

/** The parts of a schema, each with those inside it. */
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
