const MIRRORED: { readonly [key: string]: string } = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** The same key in a page that is read from right to left, where what comes next stands to the left. */
export const mirroredKey = (key: string): string => MIRRORED[key] ?? key

/** A key as it is meant where the page is read. */
export const keyInTextDirection = (key: string): string => (document.dir === 'rtl' ? mirroredKey(key) : key)
