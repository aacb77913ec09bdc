/**
 * A function without side effects; empty if an argument is. `signature` includes the type of the result. A function that
 * calls others of ours can't be in an index, because PostgreSQL doesn't find them while it builds or analyzes it.
 */
const define = (language: 'sql' | 'plpgsql', signature: string, body: string): string => {
  const [call = '', result = ''] = signature.split(' -> ')
  return `create or replace function ${call} returns ${result} language ${language} immutable strict parallel safe as $body$ ${body} $body$`
}

export const sqlFunction = (signature: string, expression: string): string =>
  define('sql', signature, `select cast((${expression}) as ${signature.split(' -> ')[1]})`)

/** For functions that use an argument several times, which would otherwise be computed several times. */
export const procedure = (signature: string, body: string): string => define('plpgsql', signature, body)
