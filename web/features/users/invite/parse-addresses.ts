const BETWEEN = /[\s,;<>"]+/

/** Separated by commas or lines, or with names as email programs write them. */
export const parseAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(BETWEEN)
      .filter((part) => part.includes('@'))
      .map((address) => address.toLowerCase()),
  ),
]

/** `ada.lovelace@…` → Ada Lovelace. */
export const nameOfAddress = (address: string): string =>
  address
    .slice(0, Math.max(address.indexOf('@'), 0))
    .split(/[._+-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
