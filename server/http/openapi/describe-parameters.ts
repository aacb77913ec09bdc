import type { Endpoint, ObjectSchema } from '#api/endpoint.ts'
import { referenceOf } from '#api/reference.ts'
import { type Json, objectParts } from './json-schema.ts'

/** Parameter descriptions by name. */
const MEANINGS: { readonly [name: string]: string } = {
  collection: 'Collection name or ID.',
  record: 'Record ID.',
  field: 'Field name or ID.',
  view: 'View ID.',
  dashboard: 'Dashboard ID.',
  entry: 'History entry ID.',
  template: 'Template ID, such as `cases`.',
  job: 'Job ID.',
  changeSet: 'Change set ID from the response of a deletion.',
  import: 'Import ID.',
  upload: 'Upload ID.',
  file: 'File ID.',
  favourite: 'Favorite ID.',
  session: 'Session ID.',
  passkey: 'Passkey ID.',
  token: 'API token ID, not the token itself.',
  user: 'User ID.',
  role: 'Role ID.',
  policy: 'Policy ID.',
  provider: 'Identity provider name, as configured on the server.',
  v: 'Version of the logo, from its URL, so that it can be cached.',
  to: 'Comma-separated IDs of the roles to compare with.',
  filter:
    'Only records that match this filter, such as `status = "open" && hours > 2` or `end >= start`. See Help for all operators.',
  sort: 'Comma-separated field names, with `-` for descending order: `-amount,title`. `@manual:<view ID>` is the manual order of a view.',
  search: 'Words that must all occur, in any field and order; `"…"` is an exact phrase.',
  q: 'Words that must all occur, in any field and order; `"…"` is an exact phrase.',
  limit: 'Maximum number of items; in a search, of records per collection.',
  page: 'Page number, starting at 1.',
  perPage: 'Maximum number of items per page.',
  cursor: '`nextCursor` of the previous page, instead of `page`.',
  fields: 'Comma-separated names of the fields to return; default: all.',
  expand:
    'Comma-separated relation, user, files and rich text fields to return as objects; `createdBy` and `updatedBy` add `people` with names; `*` for all. Linked records can include fields, nested up to three levels: `routes(name,from(code))`.',
  breaks: 'Validation rule ID: only records that break it. Requires permission to manage the collection.',
  count: 'Whether to count the total exactly, up to 10,000, or not at all.',
  choices: 'Whether options are returned by name or by ID.',
  richText: 'The format in which rich text is returned.',
  marks: 'Whether to return the positions of search matches in each record.',
  aggregates: 'Aggregates such as `sum(amount),avg(amount)`.',
  order:
    'One of the aggregates, such as `-sum(amount)` for the largest first; without it, groups are in the order of the list.',
  by: 'Comma-separated fields to group by, or the date field of the days.',
  days: 'Number of days.',
  perDay: 'Maximum number of records per day.',
  w: 'Width of a smaller image in pixels.',
  download: 'Any value: download the file instead of displaying it.',
  as: 'Part of a signed URL.',
  zone: 'Part of a signed URL.',
  expires: 'Part of a signed URL.',
  signature: 'Part of a signed URL.',
  load: 'ID of a file in a record.',
  restore: 'ID of a file that isn’t in a record yet; only for the user who uploaded it.',
  attach: '`true` adds the file to the end of the list in `record`, in the same request.',
  fetch: 'URL of a file for the server to fetch.',
  id: 'Upload or file ID.',
  patch: 'Upload ID, as FilePond 4 sends it.',
  name: 'File name.',
  onBadRow: 'Whether a row with errors stops the import or is skipped.',
  separator: 'Delimiter; default: detected.',
  encoding: 'File encoding; default: detected.',
  key: 'Field that identifies existing records to update.',
  header: 'Whether the header contains API names or field labels.',
  escapeFormulas:
    '`yes` (default) prefixes text that a spreadsheet would run as a formula with an apostrophe; an import removes it.',
  mark: 'Whether to start the file with a byte order mark, which some spreadsheets need to read accented characters.',
  language: 'Language of labels, options and examples.',
  scope: 'Which of your sessions to end.',
  standing: 'Only users with this status.',
  person: 'ID of the user who acted, or who was affected.',
  group: 'Only entries in this group.',
  kind: 'Only entries of this kind.',
  via: 'Only changes made this way.',
  preview: '`true` saves nothing, and returns what would happen.',
  definition: 'ID of the deleted field or collection.',
  from: 'The first day, or the earliest time of an entry.',
  until: 'Only entries before this time.',
  at: 'Return the records as they were at this time, such as `2026-11-01T09:00:00Z`, with your current permissions.',
  before: '`next` of the previous page.',
  after: '`next` of the previous response; `now` returns only a `next` for later changes.',
  text: 'Words to search for; the entry must contain all of them.',
}

/** Example values for required parameters. */
const EXAMPLES: { readonly [name: string]: string } = {
  q: 'boat house',
  by: 'createdAt',
  from: '2026-11-01',
  days: '7',
  name: 'boats.csv',
  scope: 'others',
}

export function describeParameters(endpoint: Endpoint): readonly Json[] {
  const { headers = {}, exampleParams: shown = [] } = referenceOf(endpoint)
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

/**
 * Object properties by output type, because numbers in a URL are parsed from text; by input type if the output type is
 * unknown.
 */
function partsOf(schema: ObjectSchema): readonly Part[] {
  const known = remembered.get(schema) ?? readParts(schema)
  remembered.set(schema, known)
  return known
}

/** Cached, because the same endpoints are documented for every collection. */
const remembered = new WeakMap<ObjectSchema, readonly Part[]>()

function readParts(schema: ObjectSchema): readonly Part[] {
  const [input, output] = [objectParts(schema, 'input'), objectParts(schema, 'output')]
  return Object.entries(output.properties).map(([name, made]) => ({
    name,
    schema: Object.keys(made).length > 0 ? made : (input.properties[name] ?? {}),
    isRequired: input.required.includes(name),
  }))
}
