/** What a key does in the viewer. */
export type ViewerCommand =
  | 'previous'
  | 'next'
  | 'first'
  | 'last'
  | 'zoom-in'
  | 'zoom-out'
  | 'actual-size'
  | 'fit'
  | 'rotate-right'
  | 'rotate-left'
  | 'flip-horizontal'
  | 'flip-vertical'
  | 'play'
  | 'help'

/** A key as it was pressed. */
export type ViewerKey = {
  readonly key: string
  /** With Ctrl, Alt or the command key, which belong to the browser. */
  readonly isHeld: boolean
  readonly isShift: boolean
  /** What has the keyboard: a button takes the space bar, a player its arrows, a text its own scrolling. */
  readonly on: 'nothing' | 'button' | 'player' | 'text'
  /** Whether one reads from right to left: then what is next stands to the left. */
  readonly isRightToLeft: boolean
}

const PLAIN: { readonly [key: string]: ViewerCommand } = {
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  _: 'zoom-out',
  '0': 'fit',
  '1': 'actual-size',
  '?': 'help',
}

const MOVING: { readonly [key: string]: ViewerCommand } = { Home: 'first', End: 'last' }

/** Keys of a player and of a text that scrolls, while they have the keyboard. */
const TAKEN: { readonly [on in ViewerKey['on']]: ReadonlySet<string> } = {
  nothing: new Set(),
  button: new Set([' ']),
  player: new Set([' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']),
  text: new Set([' ', 'ArrowUp', 'ArrowDown', 'Home', 'End']),
}

/** What a key does; undefined when it is another's. */
export function commandOf(pressed: ViewerKey): ViewerCommand | undefined {
  const { key, isHeld, isShift, isRightToLeft } = pressed
  if (isHeld || TAKEN[pressed.on].has(key)) return undefined
  switch (key) {
    case 'ArrowLeft':
      return isRightToLeft ? 'next' : 'previous'
    case 'ArrowRight':
      return isRightToLeft ? 'previous' : 'next'
    case 'ArrowUp':
      return 'zoom-in'
    case 'ArrowDown':
      return 'zoom-out'
    case ' ':
      return 'play'
    case 'r':
    case 'R':
      return isShift ? 'rotate-left' : 'rotate-right'
    case 'f':
    case 'F':
      return isShift ? 'flip-vertical' : 'flip-horizontal'
    default:
      return PLAIN[key] ?? MOVING[key]
  }
}
