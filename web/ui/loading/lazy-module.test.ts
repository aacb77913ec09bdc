import { expect, test, vi } from 'vitest'
import { lazyModule } from './lazy-module.tsx'

test('a module is loaded only once for concurrent requests', async () => {
  const fetchPart = vi.fn<() => Promise<string>>(async () => 'the part')
  const part = lazyModule(fetchPart)
  expect(await Promise.all([part.load(), part.load()])).toEqual(['the part', 'the part'])
  expect(await part.load()).toBe('the part')
  expect(fetchPart).toHaveBeenCalledTimes(1)
})

test('loading a module notifies its subscribers', async () => {
  const part = lazyModule(async () => 'the part')
  const heard = vi.fn<() => void>()
  part.subscribe(heard)
  expect(part.get()).toBeUndefined()
  await part.load()
  expect(heard).toHaveBeenCalledTimes(1)
  expect(part.get()).toBe('the part')
})

test('a module that failed to load is requested again the next time', async () => {
  const fetchPart = vi.fn<() => Promise<string>>(async () => 'the part').mockRejectedValueOnce(new Error('offline'))
  const part = lazyModule(fetchPart)
  await expect(part.load()).rejects.toThrow('offline')
  expect(await part.load()).toBe('the part')
})
