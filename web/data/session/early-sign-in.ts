/**
 * The sign-in form in `index.html` works before the scripts have loaded, which can take seconds on a slow connection.
 * `LoginForm` takes over the typed values; all other pages remove it.
 */
export type EarlySignIn = {
  readonly email: string
  readonly password: string
  readonly isKept: boolean
  /** The form was submitted before the scripts could send it. */
  readonly isSubmitted: boolean
  readonly isPasswordFocused: boolean
}

const findInput = (name: string): HTMLInputElement | null => document.querySelector(`#early-${name}`)

/** Removes the form; returns the typed values, or undefined if there is no form. */
export function takeEarlySignIn(): EarlySignIn | undefined {
  const form = document.querySelector<HTMLElement>('#early-sign-in')
  const [email, password, keep] = ['email', 'password', 'keep'].map(findInput)
  if (!form || !email || !password || !keep) return undefined
  const isPressed = form.querySelector('button:active') !== null
  const typed = {
    email: email.value,
    password: password.value,
    isKept: keep.checked,
    // Replacing the button while it is pressed would lose the click.
    isSubmitted:
      form.dataset['submitted'] !== undefined || (isPressed && email.validity.valid && password.validity.valid),
    isPasswordFocused: document.activeElement === password,
  }
  form.remove()
  delete document.documentElement.dataset['earlySignIn']
  return typed
}
