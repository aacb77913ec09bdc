import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ALL_ENDPOINTS, NAMED_SCHEMAS } from '#api/all-endpoints.ts'
import { problemBody } from '#api/problem-body.ts'
import { valuesInput } from '#api/record-values.ts'
import type { Json } from './json-schema.ts'

/** What comes in and what goes out by one schema differ: by defaults, and by what is read from text. */
type Direction = 'input' | 'output'

/** Schemas by the names the document has them under. */
export type EndpointSchemas = {
  readonly schemas: Json
  readonly nameOf: (way: Direction, schema: z.ZodType) => string | undefined
}

/** The name of what every refusal looks like. */
export const PROBLEM = 'problem'

const SCHEMA_PREFIX = '#/components/schemas/'
/** Where Zod puts what is spoken of by name. */
const DEFINITIONS = '#/$defs/'

/** The schemas of all endpoints: named ones, bodies and answers. Between two of them others get their turn. */
export async function endpointSchemas(): Promise<EndpointSchemas> {
  const registries = { input: registryOf('input'), output: registryOf('output') }
  return {
    schemas: { ...(await schemasOf('output', registries.output)), ...(await schemasOf('input', registries.input)) },
    nameOf: (way, schema) => registries[way].get(schema)?.id,
  }
}

type Registry = ReturnType<typeof z.registry<{ readonly id: string }>>

function registryOf(way: Direction): Registry {
  const registry: Registry = z.registry()
  for (const [schema, id] of namedOf(way)) if (!registry.has(schema)) registry.add(schema, { id })
  return registry
}

/** Every schema with what it is called; one may come under several names, of which the first is its own. */
function* namedOf(way: Direction): Generator<readonly [schema: z.ZodType, name: string]> {
  for (const { name, schema } of NAMED_SCHEMAS) yield [schema, way === 'input' ? `${name}.in` : name]
  for (const { name, endpoint } of ALL_ENDPOINTS) {
    const [schema, part] = way === 'input' ? [endpoint.body, 'body'] : [endpoint.answer, 'answer']
    if (schema instanceof z.ZodType) yield [schema, `${name}.${part}`]
  }
  if (way === 'output') yield [problemBody, PROBLEM]
}

/** Each schema brings those along that it speaks of. */
async function schemasOf(way: Direction, registry: Registry): Promise<Json> {
  const known: { [name: string]: unknown } = {}
  for (const [schema, name] of namedOf(way)) {
    if (registry.get(schema)?.id !== name || name in known) continue
    const { $defs } = z.toJSONSchema(schema, {
      io: way,
      unrepresentable: 'any',
      metadata: registry,
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema === valuesInput) Object.assign(jsonSchema, { type: 'object', additionalProperties: {} })
      },
    })
    Object.assign(known, JSON.parse(JSON.stringify($defs).replaceAll(DEFINITIONS, SCHEMA_PREFIX)))
    await setImmediate()
  }
  return known
}
