/**
 * The sign-in form of `index.html` works before the scripts have loaded, which takes seconds on a slow connection.
 * `LoginForm` takes over what was typed; every other page removes it.
 */
export type EarlySignIn = {
  readonly email: string
  readonly password: string
  readonly isKept: boolean
  /** Submitted before it could be sent. */
  readonly isSubmitted: boolean
  readonly isPasswordFocused: boolean
}

const findInput = (name: string): HTMLInputElement | null => document.querySelector(`#early-${name}`)

export function readEarlySignIn(): EarlySignIn {
  const password = findInput('password')
  return {
    email: findInput('email')?.value ?? '',
    password: password?.value ?? '',
    isKept: findInput('keep')?.checked ?? true,
    isSubmitted: document.querySelector('#early-sign-in[data-submitted]') !== null,
    isPasswordFocused: password !== null && document.activeElement === password,
  }
}

/** Whether there was one. */
export function removeEarlySignIn(): boolean {
  const form = document.querySelector('#early-sign-in')
  form?.remove()
  delete document.documentElement.dataset['earlySignIn']
  return form !== null
}
