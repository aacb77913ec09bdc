const joined = (address: string, part: string): string => `${address}${address.includes('?') ? '&' : '?'}${part}`

/** Where a file is saved from; an address of its own copy on this machine is as good as any. */
export const downloadUrl = (url: string): string => (url.startsWith('blob:') ? url : joined(url, 'download='))

/** Where a smaller copy of a picture is, so many pixels wide: the address of the whole is good for it. */
export const thumbnailUrl = (url: string, widthPx: number): string => joined(url, `w=${widthPx}`)
