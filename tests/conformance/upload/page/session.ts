let token = ''
let renewing: Promise<void> | undefined

async function ask(path: string, body?: object): Promise<void> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'x-requested-with': 'dossier', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const said = await answer.json()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${said.code}`)
  token = said.token
}

/** Signs this page in as a user would: the refresh token is stored in an HttpOnly cookie. */
export const signIn = (email: string, password: string): Promise<void> => ask('/api/auth/login', { email, password })

/** A new access token, requested once for all waiting requests. The old one is kept while offline. */
export function renew(): Promise<void> {
  renewing ??= ask('/api/auth/refresh')
    .catch(() => undefined)
    .finally(() => {
      renewing = undefined
    })
  return renewing
}

export const authorization = (): string => `Bearer ${token}`
