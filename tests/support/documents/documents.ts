/** Sample documents in their stored format. */

const node = (type: string, attrs: object = {}) => ({ type, attrs })

export const line = (...content: readonly object[]) => ({ type: 'paragraph', content })

export const words = (text: string) => line({ type: 'text', text })

export const picture = (file: string, attrs: object = {}) => node('image', { file, ...attrs })

export const card = (file: string) => node('file', { file })

export const mention = (of: object) => node('mention', of)

export const person = (id: string) => line(mention({ kind: 'user', id }))

export const recordMention = (collection: string, id: string) => line(mention({ kind: 'record', id, collection }))

export const doc = (...content: readonly object[]) => ({ type: 'doc', content })
