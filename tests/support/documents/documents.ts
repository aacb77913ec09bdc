/** Documents that tests write, in the form in which they are kept. */

const node = (type: string, attrs: object = {}) => ({ type, attrs })

/** A line of these things. */
export const line = (...content: readonly object[]) => ({ type: 'paragraph', content })

/** A line of words. */
export const words = (text: string) => line({ type: 'text', text })

/** A picture of a file. */
export const picture = (file: string, attrs: object = {}) => node('image', { file, ...attrs })

/** The card of a file. */
export const card = (file: string) => node('file', { file })

/** What a line says of somebody or of a record. */
export const mention = (of: object) => node('mention', of)

/** A line that mentions somebody. */
export const person = (id: string) => line(mention({ kind: 'user', id }))

/** A line that mentions a record. */
export const recordMention = (collection: string, id: string) => line(mention({ kind: 'record', id, collection }))

/** A document of these blocks. */
export const doc = (...content: readonly object[]) => ({ type: 'doc', content })
