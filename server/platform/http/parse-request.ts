import { z } from 'zod'
import { MAX_REPORTED, type PartProblem, Problem } from '#domain/shared/problem.ts'

export type RequestPart = 'address' | 'query' | 'body'

type Issue = z.core.$ZodIssue

export function parseRequestPart<Parsed>(part: RequestPart, schema: z.ZodType<Parsed>, value: unknown): Parsed {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data

  const issues = parsed.error.issues.slice(0, MAX_REPORTED)
  const isWithoutValues = part === 'body' && lacksValues(schema, value)
  const errors = issues.flatMap((issue) => partProblems(part, issue, isWithoutValues)).slice(0, MAX_REPORTED)
  const isUnknown = part === 'query' && errors.every(({ code }) => code === 'unknown-parameter')
  throw new Problem(isUnknown ? 'unknown-parameter' : 'invalid-request', detailOf(part, errors), { errors })
}

/** Detects a record sent as `{"title": …}` instead of `{"values": {"title": …}}`. */
const lacksValues = (schema: z.ZodType, value: unknown): boolean =>
  schema instanceof z.ZodObject && 'values' in schema.shape && !Object.hasOwn(Object(value), 'values')

function partProblems(part: RequestPart, issue: Issue, isWithoutValues: boolean): PartProblem[] {
  const at = issue.path.map(String)
  const meant = issue.code === 'invalid_union' ? closestUnionMember(issue.errors) : []
  if (meant.length > 0) {
    return meant.flatMap((inner) =>
      partProblems(part, { ...inner, path: [...issue.path, ...inner.path] }, isWithoutValues),
    )
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_REPORTED).map((key) => ({
      path: [...at, key].join('.'),
      code: part === 'query' ? 'unknown-parameter' : 'unknown-key',
      message: isWithoutValues
        ? `Unknown parameter “${key}”. Field values belong in “values”.`
        : `Unknown parameter “${key}”.`,
    }))
  }
  return [{ path: at.join('.'), ...wordsFor(issue) }]
}

/** For a union, reports the errors of the best-matching variant. */
const closestUnionMember = (forms: readonly (readonly Issue[])[]): readonly Issue[] =>
  forms.reduce((best, form) => (issueCount(form) < issueCount(best) ? form : best), forms[0] ?? [])

const issueCount = (form: readonly Issue[]): number =>
  form.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)

function wordsFor(issue: Issue): { readonly code: string; readonly message: string } {
  const code = issue.code.replaceAll('_', '-')
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  if (isMissing) return { code: 'missing', message: 'This field is required.' }
  const kind = issue.code === 'invalid_type' ? TYPE_MESSAGES[issue.expected] : undefined
  if (kind !== undefined) return { code, message: kind }
  return { code, message: `${issue.message.replace(/^Invalid input: expected /, 'Must be ').replace(/\.$/, '')}.` }
}

const TYPE_MESSAGES: { readonly [expected: string]: string } = {
  string: 'Must be a string.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
}

const PART_LABELS: { readonly [Part in RequestPart]: string } = {
  address: 'The path',
  query: 'The query',
  body: 'The body',
}

function detailOf(part: RequestPart, errors: readonly PartProblem[]): string {
  const [first] = errors
  if (first === undefined) return `${PART_LABELS[part]} is invalid.`
  const subject = first.path === '' ? '' : ` at “${first.path}”`
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return `${PART_LABELS[part]} is invalid${subject}${more}: ${first.message}`
}
