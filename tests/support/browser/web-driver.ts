import { setTimeout as pause } from 'node:timers/promises'

/** The key of element references in W3C WebDriver. */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

type ElementReference = { readonly [ELEMENT_KEY]: string }

const FOUND_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 100

export type WebDriver = Awaited<ReturnType<typeof openWebDriver>>

/** Key codes in W3C WebDriver. */
export const KEYS = { enter: '\uE007', escape: '\uE00C' } as const

/** Opens a session with the driver at this URL; supports only the commands used by these tests. */
export async function openWebDriver(driverUrl: string, capabilities: object) {
  async function send<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${driverUrl}${path}`, { method, ...init })
    // Response format according to the W3C recommendation.
    const { value } = (await response.json()) as { readonly value: Answer & { readonly message?: string } }
    if (!response.ok) throw new Error(`${method} ${path}: ${value.message}`)
    return value
  }
  const { sessionId } = await send<{ readonly sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: capabilities },
  })
  const session = `/session/${sessionId}`

  const run = <Answer>(script: string, ...args: readonly unknown[]): Promise<Answer> =>
    send<Answer>('POST', `${session}/execute/sync`, { script, args })

  /** Polls the script until it returns a value. */
  async function until<Answer>(script: string, ...args: readonly unknown[]): Promise<NonNullable<Answer>> {
    const deadline = Date.now() + FOUND_WITHIN_MS
    for (;;) {
      const found = await run<Answer>(script, ...args)
      if (found !== null && found !== undefined && found !== false) return found
      if (Date.now() > deadline) throw new Error(`Timed out waiting for: ${script} ${JSON.stringify(args)}`)
      await pause(LOOK_EVERY_MS)
    }
  }

  /**
   * The first visible element that matches the selector and contains the text in its content or label, ignoring case.
   */
  const find = (selector: string, text = ''): Promise<ElementReference> =>
    until<ElementReference>(
      `return [...document.querySelectorAll(arguments[0])].find((it) => it.checkVisibility() &&
        (it.textContent + (it.getAttribute('aria-label') ?? '')).toLowerCase().includes(arguments[1].toLowerCase())) ?? null`,
      selector,
      text,
    )
  const onElement = async (element: ElementReference, command: string, body: object): Promise<void> => {
    await send('POST', `${session}/element/${element[ELEMENT_KEY]}/${command}`, body)
  }

  return {
    run,
    until,
    find,
    go: (url: string) => send<null>('POST', `${session}/url`, { url }),
    click: async (selector: string, text?: string) => onElement(await find(selector, text), 'click', {}),
    type: async (selector: string, text: string) => onElement(await find(selector), 'value', { text }),
    /** Selects a file, even in a hidden input, because file inputs are hidden behind buttons. */
    choose: async (selector: string, path: string) =>
      onElement(await until<ElementReference>('return document.querySelector(arguments[0])', selector), 'value', {
        text: path,
      }),
    resize: (width: number, height: number) => send('POST', `${session}/window/rect`, { width, height }),
    close: () => send<null>('DELETE', session),
  }
}
