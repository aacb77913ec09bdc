import { z } from 'zod'
import type { ObjectSchema } from '#api/endpoint.ts'
import type { Json } from './json-schema.ts'

/** What parts of an address and a query mean, wherever they occur. */
const MEANINGS: { readonly [name: string]: string } = {
  collection: 'The name of a collection, or its id.',
  record: 'The id of a record.',
  field: 'The name of a field, or its id.',
  view: 'The id of a saved view.',
  filter: 'Only records for which this holds, such as `status = "open" && hours > 2`. Help lists every operator.',
  sort: 'Names of fields in their order, `-` before one that goes down: `-amount,title`.',
  search: 'Words that must all occur, in any field and order; `"…"` is a phrase.',
  page: 'Which page, from 1 on.',
  perPage: 'Most items of a page.',
  cursor: 'What `nextCursor` of the page before said. It takes the place of `page`.',
  fields: 'Names of the fields to answer, joined by commas; all of them if left out.',
  expand: 'Names of relations, people, files and rich texts to answer as objects; `*` for all.',
  count: 'Whether the total is counted to the end, to 10,000, or not at all.',
  choices: 'Whether choices are answered by name or by id.',
  richText: 'As what rich texts are answered.',
  aggregates: 'Figures such as `sum(amount),avg(amount)`.',
  by: 'The fields to group by, joined by commas.',
  upload: 'The id of an upload.',
  file: 'The id of a file.',
  w: 'The width of a smaller picture in pixels.',
  signature: 'Comes with a signed address of ours.',
}

/** The parameters of an endpoint, as the document lists them. */
export const describeParameters = (path: ObjectSchema, query: ObjectSchema): readonly Json[] => [
  ...partsOf(path).map((part) => parameter('path', part)),
  ...partsOf(query).map((part) => parameter('query', part)),
]

type Part = { readonly name: string; readonly schema: Json; readonly isRequired: boolean }

function parameter(place: 'path' | 'query', { name, schema, isRequired }: Part): Json {
  const description = MEANINGS[name]
  return { name, in: place, required: place === 'path' || isRequired, ...(description && { description }), schema }
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
})

/**
 * The parts of an object, by what is made of them: a number stands in an address as text, and is a number for all that.
 * Where that cannot be said, by what comes in.
 */
function partsOf(schema: ObjectSchema): readonly Part[] {
  const known = remembered.get(schema) ?? readParts(schema)
  remembered.set(schema, known)
  return known
}

/** The same endpoints are described for every collection. */
const remembered = new WeakMap<ObjectSchema, readonly Part[]>()

function readParts(schema: ObjectSchema): readonly Part[] {
  const read = (io: 'input' | 'output') => objectSchema.parse(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  const [input, output] = [read('input'), read('output')]
  return Object.entries(output.properties).map(([name, made]) => ({
    name,
    schema: Object.keys(made).length > 0 ? made : (input.properties[name] ?? {}),
    isRequired: input.required.includes(name),
  }))
}
