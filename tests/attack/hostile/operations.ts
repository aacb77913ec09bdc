import { openApiChecker } from '#tests/support/server/check-openapi.ts'
import { type Client, demand } from '#tests/attack/workload/client.ts'
import { type Schemas, type TextPlace, writableTexts } from './script-injection/writable-texts.ts'

/** A path or query parameter in the OpenAPI document. */
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly example?: unknown
  readonly schema?: Shape
}

type Shape = { readonly type?: string; readonly enum?: readonly unknown[]; readonly default?: unknown }
type Reported = {
  readonly content?: { readonly [type: string]: { readonly schema: object } }
  readonly 'x-codes'?: readonly string[]
}
type Content = { readonly [type: string]: { readonly example?: unknown; readonly schema?: Schemas[string] } }

/** An operation in the OpenAPI document. */
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** A valid body; undefined if the operation doesn't read one. */
  readonly body: OperationBody | undefined
  readonly responses: { readonly [status: string]: Reported }
  /** Whether the operation belongs to a collection, whose definition may have changed since. */
  readonly isOfCollection: boolean
}

type OperationBody = {
  readonly isJson: boolean
  readonly example: unknown
  readonly texts: readonly TextPlace[]
}

type DocumentOperation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Operation['responses']
  readonly 'x-collection'?: string
}

/** All operations, and a function that checks their responses. */
export type Reference = {
  readonly operations: readonly Operation[]
  /** How a response differs from the OpenAPI document, if it does. */
  readonly untold: (operation: Operation, answer: Pick<RawResponse, 'status' | 'type' | 'text'>) => string | undefined
}

export type RawResponse = {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export async function readReference({ ask }: Client): Promise<Reference> {
  const { paths, components } = demand(await ask('GET', '/api/openapi.json'), 200).body
  const operations = Object.entries<Record<string, DocumentOperation>>(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, reported]) =>
      operationOf({ method: verb.toUpperCase(), path }, reported, components.schemas),
    ),
  )
  const faultsOf = openApiChecker(components.schemas)
  return {
    operations,
    untold: ({ method, responses, isOfCollection }, { status, type, text }) => {
      const reported = responses[status]
      if (reported === undefined) return `${status} is undocumented: ${text.slice(0, 200)}`
      // A HEAD response has no body.
      if (method === 'HEAD' || text === '') return undefined
      const said = reported.content?.[type] ?? reported.content?.['*/*']
      if (said === undefined) return `${status} comes as ${type}`
      return type.endsWith('json')
        ? untoldInBody(reported, JSON.parse(text), isOfCollection ? undefined : said.schema)
        : undefined
    },
  }

  function untoldInBody(
    reported: Reported,
    body: { readonly code?: string },
    schema: object | undefined,
  ): string | undefined {
    const codes = reported['x-codes']
    if (codes && !codes.includes(body.code ?? '')) return `code ${body.code} is undocumented`
    return schema && faultsOf(schema, body)
  }
}

type Verb = Pick<Operation, 'method' | 'path'>

function operationOf({ method, path }: Verb, reported: DocumentOperation, schemas: Schemas): Operation {
  const content = reported.requestBody?.content
  const json = content?.['application/json']
  const texts = writableTexts(json?.schema ?? { type: 'null' }, schemas)
  return {
    id: reported.operationId,
    method,
    path,
    parameters: reported.parameters ?? [],
    body: content && { isJson: json !== undefined, example: json?.example ?? {}, texts },
    responses: reported.responses,
    isOfCollection: reported['x-collection'] !== undefined,
  }
}
