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

/** Removes the form and returns what was typed; undefined if there is none. */
export function takeEarlySignIn(): EarlySignIn | undefined {
  const form = document.querySelector<HTMLElement>('#early-sign-in')
  const [email, password, keep] = ['email', 'password', 'keep'].map(findInput)
  if (!form || !email || !password || !keep) return undefined
  const isPressed = form.querySelector('button:active') !== null
  const typed = {
    email: email.value,
    password: password.value,
    isKept: keep.checked,
    // While the button is pressed, replacing it would lose the click.
    isSubmitted: form.dataset['submitted'] !== undefined || (isPressed && email.validity.valid && password.validity.valid),
    isPasswordFocused: document.activeElement === password,
  }
  form.remove()
  delete document.documentElement.dataset['earlySignIn']
  return typed
}
