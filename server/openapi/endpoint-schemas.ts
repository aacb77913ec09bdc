import { z } from 'zod'
import { ALL_ENDPOINTS, NAMED_SCHEMAS } from '#api/all-endpoints.ts'
import { problemBody } from '#api/problem-body.ts'
import type { Json } from './json-schema.ts'

/** What comes in and what goes out by one schema differ: by defaults, and by what is read from text. */
type Way = 'input' | 'output'

/** Schemas by the names the document has them under. */
export type EndpointSchemas = {
  readonly schemas: Json
  readonly nameOf: (way: Way, schema: z.ZodType) => string | undefined
}

/** The name of what every refusal looks like. */
export const PROBLEM = 'problem'

const PLACE = '#/components/schemas/'
/** Where Zod puts what has no name and points at itself. */
const SHARED = '__shared'

/** The schemas of all endpoints: named ones, bodies and answers. */
export function endpointSchemas(): EndpointSchemas {
  const registries = { input: registryOf('input'), output: registryOf('output') }
  return {
    schemas: { ...schemasOf('output', registries.output), ...schemasOf('input', registries.input) },
    nameOf: (way, schema) => registries[way].get(schema)?.id,
  }
}

type Registry = ReturnType<typeof z.registry<{ readonly id: string }>>

function registryOf(way: Way): Registry {
  const registry: Registry = z.registry()
  const add = (schema: unknown, id: string): void => {
    if (schema instanceof z.ZodType && !registry.has(schema)) registry.add(schema, { id })
  }
  for (const { name, schema } of NAMED_SCHEMAS) add(schema, way === 'input' ? `${name}.in` : name)
  for (const { name, endpoint } of ALL_ENDPOINTS) {
    if (way === 'input') add(endpoint.body, `${name}.body`)
    else add(endpoint.answer, `${name}.answer`)
  }
  if (way === 'output') add(problemBody, PROBLEM)
  return registry
}

function schemasOf(way: Way, registry: Registry): Json {
  const { schemas } = z.toJSONSchema(registry, { io: way, unrepresentable: 'any', uri: (id) => `${PLACE}${id}` })
  // Both ways lie side by side in one document, so what has no name is told apart by its way.
  const placed = JSON.stringify(schemas).replaceAll(`${PLACE}${SHARED}#/$defs/`, `${PLACE}${way}.`)
  const { [SHARED]: shared, ...named }: { readonly [name: string]: Json } = JSON.parse(placed)
  const unnamed = Object.entries(shared?.['$defs'] ?? {}).map(([name, schema]) => [`${way}.${name}`, schema])
  const all = Object.entries(named).map(([name, schema]) => [name, withoutAddress(schema)])
  return Object.fromEntries([...all, ...unnamed])
}

/** Where a schema stands in the document says already what it is called. */
function withoutAddress({ $schema: _dialect, $id: _address, ...schema }: Json): Json {
  return schema
}
