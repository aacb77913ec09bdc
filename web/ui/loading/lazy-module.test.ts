import { expect, test, vi } from 'vitest'
import { lazyModule } from './lazy-module.tsx'

test('a part is fetched once, however many ask for it at once', async () => {
  const fetchPart = vi.fn<() => Promise<string>>(async () => 'the part')
  const part = lazyModule(fetchPart)
  expect(await Promise.all([part.load(), part.load()])).toEqual(['the part', 'the part'])
  expect(await part.load()).toBe('the part')
  expect(fetchPart).toHaveBeenCalledTimes(1)
})

test('a part tells those who wait that it is there', async () => {
  const part = lazyModule(async () => 'the part')
  const heard = vi.fn<() => void>()
  part.subscribe(heard)
  expect(part.current()).toBeUndefined()
  await part.load()
  expect(heard).toHaveBeenCalledTimes(1)
  expect(part.current()).toBe('the part')
})

test('a part that could not be fetched is fetched again by the next who asks', async () => {
  const fetchPart = vi.fn<() => Promise<string>>(async () => 'the part').mockRejectedValueOnce(new Error('offline'))
  const part = lazyModule(fetchPart)
  await expect(part.load()).rejects.toThrow('offline')
  expect(await part.load()).toBe('the part')
})
