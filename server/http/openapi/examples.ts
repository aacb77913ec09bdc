import type { Json } from './json-schema.ts'

export const EXAMPLE_ID = '01jd9q4z7m3k8w2x5v6c0b1n4r'

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_DEPTH = 6

const TEXTS: { readonly [name: string]: string } = {
  email: 'ada@example.org',
  name: 'Boat house',
  label: 'Boats',
  filter: 'createdAt >= @today-7d',
  formula: '1 + 1',
  password: 'seven otters play the violin',
  current: 'seven otters play the violin',
  next: 'nine herons read the paper',
  scopes: 'records:read',
  collection: 'boats',
  collections: 'boats',
  to: 'Done',
  returnTo: '/',
  code: '123456',
}

/** Example numbers that are safe to send. */
const NUMBERS: { readonly [name: string]: number } = {
  quotaBytes: 50_000_000_000,
  idleMinutes: 60,
}

/** A minimal example for a schema; `name` is its property name. */
export function createExample(schema: unknown, schemas: Json, depth = 0, name = ''): unknown {
  if (!isJson(schema) || depth > MAX_DEPTH) return null
  if ('default' in schema && depth > 0) return schema['default']
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (typeof schema['$ref'] === 'string') {
    return createExample(schemas[schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1)], schemas, depth + 1, name)
  }
  const [form] = [schema['anyOf'], schema['oneOf'], schema['allOf']].flat().filter(isJson)
  if (form) return createExample(form, schemas, depth + 1, name)
  return exampleOfType(schema, schemas, { depth, name })
}

type ExamplePlace = { readonly depth: number; readonly name: string }

function exampleOfType(schema: Json, schemas: Json, { depth, name }: ExamplePlace): unknown {
  const [type] = [schema['type']].flat()
  switch (type) {
    case 'object':
      return exampleObject(schema, schemas, depth)
    case 'array':
      return Number(schema['minItems'] ?? 0) > 0 ? [createExample(schema['items'], schemas, depth + 1, name)] : []
    case 'string':
      return exampleText(schema, name)
    case 'integer':
    case 'number':
      return NUMBERS[name] ?? Math.max(Number(schema['minimum'] ?? 1), 1)
    case 'boolean':
      return true
    default:
      return null
  }
}

/** Contains the required properties; if there are none, the first property. */
function exampleObject(schema: Json, schemas: Json, depth: number): Json {
  const { properties, required } = schema
  if (!isJson(properties)) return {}
  const needed = Array.isArray(required) ? required.map(String) : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(needed.map((name) => [name, createExample(properties[name], schemas, depth + 1, name)]))
}

function exampleText({ format, minLength = 0 }: Json, name: string): string {
  const known = TEXTS[name]
  if (known !== undefined && known.length >= Number(minLength)) return known
  if (format === 'email') return 'ada@example.org'
  if (format === 'date-time') return '2026-11-05T09:30:00.000Z'
  return 'text'.padEnd(Number(minLength), 't')
}
