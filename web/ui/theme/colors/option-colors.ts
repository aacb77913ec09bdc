/** The twelve hues a choice or a state may wear, in the order a colour picker shows them. */
export const OPTION_HUES = [
  'gray',
  'red',
  'orange',
  'amber',
  'olive',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'violet',
  'pink',
] as const

/** The name of one hue, as it is stored with a choice. */
export type OptionHue = (typeof OPTION_HUES)[number]

/** The three colours a choice is drawn with, as CSS values that follow the colour scheme. */
export type OptionColors = {
  /** For its words; at least 4.5 : 1 on `tint`. */
  readonly text: string
  /** For the ground behind its words. */
  readonly tint: string
  /** For the dot that goes with the words, so that colour never speaks alone; at least 3 : 1 on `tint`. */
  readonly dot: string
}

/** Whether a stored name is one of the twelve hues. */
function isOptionHue(name: string): name is OptionHue {
  return OPTION_HUES.some((hue) => hue === name)
}

/** The colours of a choice by the name stored with it; a name nobody knows any more is drawn gray. */
export function optionColors(name: string | null | undefined): OptionColors {
  const hue = name && isOptionHue(name) ? name : 'gray'
  return {
    text: `var(--choice-${hue}-text)`,
    tint: `var(--choice-${hue}-tint)`,
    dot: `var(--choice-${hue}-dot)`,
  }
}
