/** A sign that stands around addresses, or between them. */
const BETWEEN = /[\s,;<>"]+/

/** The addresses in what was typed or pasted: with commas, in lines, or as mail programs write them with names. */
export const parseAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(BETWEEN)
      .filter((part) => part.includes('@'))
      .map((address) => address.toLowerCase()),
  ),
]

/** What to call somebody until they say it themselves: `ada.lovelace@…` → Ada Lovelace. */
export const nameOfAddress = (address: string): string =>
  address
    .slice(0, Math.max(address.indexOf('@'), 0))
    .split(/[._+-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
