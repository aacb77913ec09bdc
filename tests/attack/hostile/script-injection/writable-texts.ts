/** The properties of a schema that are used here. */
type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: { readonly [name: string]: Schema }
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** Schemas by name. */
export type Schemas = { readonly [name: string]: Schema }

export type TextPlace = readonly string[]

export function writableTexts(schema: Schema, schemas: Schemas): readonly TextPlace[] {
  const found = new Map(placesIn(schema, schemas, []).map((place) => [place.join('.'), place]))
  return [...found.values()]
}

function placesIn(schema: Schema, schemas: Schemas, open: readonly string[]): readonly TextPlace[] {
  const { $ref, properties = {}, additionalProperties, items } = schema
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    const meant = schemas[name]
    // Filter trees are recursive.
    return meant === undefined || open.includes(name) ? [] : placesIn(meant, schemas, [...open, name])
  }
  const below = (name: string, part: Schema): readonly TextPlace[] =>
    placesIn(part, schemas, open).map((place) => [name, ...place])
  const forms = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) => each ?? [])
  return [
    ...(isFreeText(schema) ? [[]] : []),
    ...forms.flatMap((form) => placesIn(form, schemas, open)),
    ...Object.entries(properties).flatMap(([name, part]) => below(name, part)),
    ...(typeof additionalProperties === 'object' ? below('*', additionalProperties) : []),
    ...(items === undefined ? [] : below('*', items)),
  ]
}

/** A string without an enum, or a schema that accepts any value. */
function isFreeText({ type, enum: few, const: only, anyOf, oneOf, allOf, properties }: Schema): boolean {
  if (few !== undefined || only !== undefined) return false
  if (type !== undefined) return [type].flat().includes('string')
  return [anyOf, oneOf, allOf, properties].every((part) => part === undefined)
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function putText(body: unknown, place: TextPlace, text: string): unknown {
  const [name, ...rest] = place
  if (name === undefined) return text
  if (name === '*' && !isTable(body)) {
    const [first, ...others] = Array.isArray(body) ? body : []
    return [putText(first, rest, text), ...others]
  }
  const table = isTable(body) ? body : {}
  const key = name === '*' ? (Object.keys(table)[0] ?? 'text') : name
  return { ...table, [key]: putText(table[key], rest, text) }
}
