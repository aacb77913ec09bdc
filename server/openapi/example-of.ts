import type { Json } from './json-schema.ts'

/** What an id looks like. */
export const EXAMPLE_ID = '01jd9q4z7m3k8w2x5v6c0b1n4r'

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deeper than this an example says no more than its schema. */
const DEEPEST = 6

/** Something that fits a schema, with what is required in it and no more. */
export function exampleOf(schema: unknown, schemas: Json, depth = 0): unknown {
  if (!isJson(schema) || depth > DEEPEST) return null
  if ('default' in schema && depth > 0) return schema['default']
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (typeof schema['$ref'] === 'string') {
    return exampleOf(schemas[schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1)], schemas, depth + 1)
  }
  const [form] = [schema['anyOf'], schema['oneOf'], schema['allOf']].flat().filter(isJson)
  if (form) return exampleOf(form, schemas, depth + 1)
  return exampleOfType(schema, schemas, depth)
}

function exampleOfType(schema: Json, schemas: Json, depth: number): unknown {
  const [type] = [schema['type']].flat()
  switch (type) {
    case 'object':
      return exampleObject(schema, schemas, depth)
    case 'array':
      return Number(schema['minItems'] ?? 0) > 0 ? [exampleOf(schema['items'], schemas, depth + 1)] : []
    case 'string':
      return exampleText(schema)
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1
    case 'boolean':
      return true
    default:
      return null
  }
}

/** What is required; where nothing is, the first part, so that one sees what there could be. */
function exampleObject(schema: Json, schemas: Json, depth: number): Json {
  const { properties, required } = schema
  if (!isJson(properties)) return {}
  const needed = Array.isArray(required) ? required.map(String) : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(needed.map((name) => [name, exampleOf(properties[name], schemas, depth + 1)]))
}

function exampleText({ format, minLength = 0 }: Json): string {
  if (format === 'email') return 'ada@example.org'
  if (format === 'date-time') return '2026-11-05T09:30:00.000Z'
  return 'text'.padEnd(Number(minLength), 't')
}
