import { bodyOf, successResponses, type Operation, type Parameter } from './open-api.ts'

type ShellVariable = { readonly name: string; readonly about: string }

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Name of a shell variable for a value that only the user knows. */
const variableOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

/** Whether the example must contain this parameter. */
const isShown = ({ in: place, required, example, 'x-shown': isNeeded }: Parameter): boolean =>
  required || isNeeded === true || (place === 'query' && example !== undefined)

const shownIn = (place: Parameter['in'], { parameters = [] }: Operation): readonly Parameter[] =>
  parameters.filter((parameter) => parameter.in === place && isShown(parameter))

const tokenOf = ({ security, 'x-by-hand': isByHand }: Operation): string | undefined => {
  if (security?.length === 0) return undefined
  return isByHand === true ? 'DOSSIER_SESSION' : 'DOSSIER_TOKEN'
}

export function variablesOf(operation: Operation, about: (token: string) => string): readonly ShellVariable[] {
  const token = tokenOf(operation)
  const requested = [...shownIn('path', operation), ...shownIn('query', operation)]
  return [
    ...(token === undefined ? [] : [{ name: token, about: about(token) }]),
    ...requested
      .filter(({ example }) => example === undefined)
      .map(({ name, description = '' }) => ({ name: variableOf(name), about: description })),
  ]
}

/** A shell command that can be run unchanged once its variables are set. */
export function curlCommand(operation: Operation, origin: string): string {
  const { method } = operation
  const token = tokenOf(operation)
  const sent = sentBy(operation)
  const query = shownIn('query', operation)
  const inAddress = sent.length > 0 ? query : []
  return [
    `curl ${inAddress.length < query.length ? '-G ' : ''}${methodOf(method)}${addressOf(operation, inAddress, origin)}`,
    ...query.slice(inAddress.length).map(dataOf),
    ...(token === undefined ? [] : [`-H "Authorization: Bearer $${token}"`]),
    ...shownIn('header', operation).map(({ name, example = '' }) => `-H ${quoted(`${name}: ${example}`)}`),
    ...sent,
    ...receivedBy(operation),
  ].join(' \\\n  ')
}

/** HEAD responses have no body. */
function methodOf(method: string): string {
  if (method === 'GET') return ''
  return method === 'HEAD' ? '--head ' : `-X ${method} `
}

function addressOf({ path }: Operation, query: readonly Parameter[], origin: string): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)
  const requested = query.map(({ name, example }) => {
    return `${name}=${example === undefined ? `$${variableOf(name)}` : encodeURIComponent(example)}`
  })
  const address = `${origin}${place}${requested.length === 0 ? '' : `?${requested.join('&')}`}`
  return address.includes('$') ? `"${address}"` : quoted(address)
}

const dataOf = ({ name, example }: Parameter): string =>
  `--data-urlencode ${example === undefined ? `"${name}=$${variableOf(name)}"` : quoted(`${name}=${example}`)}`

function sentBy(operation: Operation): readonly string[] {
  const json = bodyOf(operation)
  if (json) return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(json.example, null, 2))}`]
  return Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, { schema, example }]) => {
    if (typeof example === 'string') {
      return [`-H ${quoted(`Content-Type: ${type}`)}`, `--data-binary ${quoted(example)}`]
    }
    return Object.entries(example ?? {}).map(([name, text]) => {
      const isFile = schema?.properties?.[name]?.contentMediaType !== undefined
      return `-F ${quoted(`${name}=${text}${isFile ? ';filename=hello.txt' : ''}`)}`
    })
  })
}

const FILE_OF_TYPE: { readonly [type: string]: string } = { 'application/zip': 'files.zip', '*/*': 'file' }

function receivedBy(operation: Operation): readonly string[] {
  if (operation.method === 'HEAD') return []
  const answers = successResponses(operation).map(([, answer]) => answer)
  const [file] = answers.flatMap(({ content = {} }) => Object.keys(content).flatMap((type) => FILE_OF_TYPE[type] ?? []))
  if (file !== undefined) return [`-o ${file}`]
  return answers.every(({ content }) => content === undefined) && answers.some(({ headers }) => headers) ? ['-i'] : []
}
