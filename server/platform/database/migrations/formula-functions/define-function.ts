/** A function without side effects; empty if an argument is. `signature` includes the type of the result. */
const define = (language: 'sql' | 'plpgsql', signature: string, body: string): string => {
  const [call = '', result = ''] = signature.split(' -> ')
  return `create or replace function ${call} returns ${result} language ${language} immutable strict parallel safe as $body$ ${body} $body$`
}

export const sqlFunction = (signature: string, expression: string): string =>
  define('sql', signature, `select cast((${expression}) as ${signature.split(' -> ')[1]})`)

/** For functions that use an argument several times, which would otherwise be computed several times. */
export const procedure = (signature: string, body: string): string => define('plpgsql', signature, body)

/**
 * The same function, but its calls of others of ours name their schema: while PostgreSQL builds or analyzes an index, it
 * finds no others.
 */
export function withSchema(statement: string, schema: string): string {
  const [head = '', body = '', ...rest] = statement.split('$body$')
  const qualified = body.replaceAll(/\bdossier_\w+(?=\()/g, (name) => `${schema}.${name}`)
  return [head, qualified, ...rest].join('$body$')
}
