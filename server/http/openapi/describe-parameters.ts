import { z } from 'zod'
import type { Endpoint, ObjectSchema } from '#api/endpoint.ts'
import { referenceOf } from '#api/reference.ts'
import type { Json } from './json-schema.ts'

/** What parts of an address and a query mean, wherever they occur. */
const MEANINGS: { readonly [name: string]: string } = {
  collection: 'The name of a collection, or its id.',
  record: 'The id of a record.',
  field: 'The name of a field, or its id.',
  view: 'The id of a saved view.',
  template: 'The id of a template, such as `cases`.',
  job: 'The id of a job.',
  changeSet: 'The change set of a deletion, as its answer told it.',
  import: 'The id of an import.',
  upload: 'The id of an upload.',
  file: 'The id of a file.',
  favourite: 'The id of a favourite.',
  session: 'The id of a session.',
  passkey: 'The id of a passkey.',
  token: 'The id of an API token, not its text.',
  user: 'The id of a person.',
  role: 'The id of a role.',
  policy: 'The id of a policy.',
  provider: 'The name of a provider, as the server was given it.',
  tour: 'The name of a tour.',
  filter:
    'Only records for which this holds, such as `status = "open" && hours > 2` or `end >= start`. Help lists every operator.',
  sort: 'Names of fields in their order, `-` before one that goes down: `-amount,title`.',
  search: 'Words that must all occur, in any field and order; `"…"` is a phrase.',
  q: 'Words that must all occur, in any field and order; `"…"` is a phrase.',
  limit: 'Most records of each collection.',
  page: 'Which page, from 1 on.',
  perPage: 'Most items of a page.',
  cursor: 'What `nextCursor` of the page before said. It takes the place of `page`.',
  fields: 'Names of the fields to answer, joined by commas; all of them if left out.',
  expand:
    'Names of relations, people, files and rich texts to answer as objects; `createdBy` and `updatedBy` answer `people` with names; `*` for all.',
  breaks: 'The id of a rule: only records that break it, for whoever manages the collection.',
  count: 'Whether the total is counted to the end, to 10,000, or not at all.',
  choices: 'Whether choices are answered by name or by id.',
  richText: 'As what rich texts are answered.',
  marks: 'Whether each record says where the search hit.',
  aggregates: 'Figures such as `sum(amount),avg(amount)`.',
  by: 'The fields to group by, joined by commas.',
  w: 'The width of a smaller picture in pixels.',
  download: 'Any text: the file is to be saved, not shown.',
  as: 'Comes with a signed address of ours.',
  zone: 'Comes with a signed address of ours.',
  expires: 'Comes with a signed address of ours.',
  signature: 'Comes with a signed address of ours.',
  load: 'The id of a file that stands in a record.',
  restore: 'The id of a file that stands in no record yet; only for who sent it.',
  fetch: 'The address of a file the server is to fetch.',
  id: 'The id of an upload or a file.',
  patch: 'The id of an upload, as FilePond 4 sends it.',
  name: 'The name of the file.',
  onBadRow: 'Whether a row that cannot be read stops the import or is left out.',
  separator: 'The sign between two cells; found out if left out.',
  encoding: 'How the text is written in bytes; found out if left out.',
  key: 'The field by which records that are there already are found and changed.',
  header: 'Whether the first row holds names for programs or labels for people.',
  escapeFormulas:
    '`yes` (default) prefixes texts that a spreadsheet would run as a formula with an apostrophe; an import removes it.',
  mark: 'Whether the file begins with a byte order mark, without which some spreadsheets misread accented letters.',
  language: 'The language of labels, choices and examples.',
  scope: 'Which of one’s sessions end.',
  standing: 'Only people with this standing.',
  person: 'The id of who did it, or whom it concerns.',
  group: 'Only entries of this group.',
  kind: 'Only entries of this kind.',
  from: 'Only from this moment on.',
  until: 'Only before this moment.',
  before: 'What `next` of the page before said.',
  text: 'Words that must all stand in what people read of an entry.',
}

/** One that does something anywhere, for a part that must be there. */
const EXAMPLES: { readonly [name: string]: string } = {
  q: 'boat house',
  by: 'createdBy',
  name: 'boats.csv',
  scope: 'others',
}

/** The parameters of an endpoint, as the document lists them. */
export function describeParameters(endpoint: Endpoint): readonly Json[] {
  const { headers = {}, shown = [] } = referenceOf(endpoint)
  return [
    ...partsOf(endpoint.params).map((part) => parameter('path', part)),
    ...partsOf(endpoint.query).map((part) => ({
      ...parameter('query', part),
      ...(part.isRequired && EXAMPLES[part.name] !== undefined && { example: EXAMPLES[part.name] }),
      ...(shown.includes(part.name) && { 'x-shown': true }),
    })),
    ...Object.entries(headers).map(([name, { about, example, isRequired = false }]) => ({
      name,
      in: 'header',
      required: isRequired,
      description: about,
      example,
      schema: { type: 'string' },
    })),
  ]
}

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
