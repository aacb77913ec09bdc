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

/** Signs in on this page; the refresh token is stored in an HttpOnly cookie. */
export const signIn = (email: string, password: string): Promise<void> => ask('/api/auth/login', { email, password })

/**
 * Refreshes the access token with a single request for concurrent callers. If the request fails, the old token is kept.
 */
export function renew(): Promise<void> {
  renewing ??= ask('/api/auth/refresh')
    .catch(() => undefined)
    .finally(() => {
      renewing = undefined
    })
  return renewing
}

export const authorization = (): string => `Bearer ${token}`
